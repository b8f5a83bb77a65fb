import { expect, test } from 'vitest';
import { stateFolderName } from '../../../infra/local/state-folder.ts';

const nameOf = (url: string, id = 'me'): string => stateFolderName(url, () => id);

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
])('the folder of a service, %s: %s', (url, name) => {
  expect(nameOf(url)).toEqual(typeof name === 'string' ? name : expect.stringMatching(name));
});
