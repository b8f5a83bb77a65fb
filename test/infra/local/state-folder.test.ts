import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stateFolderName } from '../../../infra/local/state-folder.ts';

const nameOf = (url: string, id = 'me'): string => stateFolderName(url, () => id);

describe('the folder of a service', () => {
  test.each([
    ['https://reporting.example.com', 'reporting.example.com'],
    ['https://Reporting.Example.com:443/', 'reporting.example.com'],
    ['https://reporting.example.com:8443', /^reporting\.example\.com_8443_[\da-f]{40}$/],
    ['https://reporting.example.com/tenant-a', 'reporting.example.com_tenant-a'],
    ['https://reporting.example.com/Tenant-A/v1/', /^reporting\.example\.com_tenant-a_v1_[\da-f]{40}$/],
    ['https://sample', /^sample_[\da-f]{40}$/],
    ['http://localhost:4000/tenant', 'client-me'],
    ['http://127.0.0.1:50123', 'client-me'],
    ['http://127.9.9.9', 'client-me'],
    ['http://[::1]:4000', 'client-me'],
  ])('%s: %s', (url, name) => {
    expect(nameOf(url)).toEqual(typeof name === 'string' ? name : expect.stringMatching(name));
  });

  test('is no other service’s, and a plain, short name on any file system', () => {
    const host = fc.constantFrom(...'a.example A.example a.example. sample client-a host-a a 10.0.0.1'.split(' '));
    const part = fc.stringMatching(/^[\w.%~@é-]{1,9}$/);
    const long = fc.integer({ min: 100, max: 400 }).map((length) => 'x'.repeat(length));
    const path = fc.array(fc.oneof(part, long), { maxLength: 3 }).map((parts) => parts.join('/'));
    const remote = fc
      .tuple(host, fc.constantFrom('', ':8443'), path)
      .map(([name, port, prefix]) => new URL(`https://${name}${port}/${prefix}`).href.replace(/\/+$/, ''))
      .map((url) => ({ key: url, name: nameOf(url) }));
    const local = fc
      .oneof(part, long, fc.string({ minLength: 1 }))
      .map((id) => ({ key: `client ${id}`, name: nameOf('http://localhost', id) }));
    const service = fc.oneof(remote, local, fc.constant({ key: 'sample', name: 'sample' }));
    fc.assert(
      fc.property(service, service, (one, other) => {
        expect(one.name).toMatch(/^[a-z0-9_][a-z0-9._-]{0,99}$/);
        expect(one.name).not.toMatch(/\.$/);
        expect(one.name === other.name).toBe(one.key === other.key);
      }),
      { numRuns: 2_000 },
    );
  });
});
