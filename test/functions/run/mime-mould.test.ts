import { expect, test } from 'vitest';
import { createMould } from '../../../functions/run/mime-mould.ts';

const marks = { address: 'm1@example.invalid', link: 'https://m2' };
const message = Buffer.from(
  [
    'To: m1@example.invalid',
    'List-Unsubscribe: <https://m2>',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Leave: https=',
    '://m2 or <a href=3D"https://m2">here</a>',
    'm1@example.com stays',
  ].join('\r\n'),
);

test('the marks of a message become what is a subscriber’s own, in headers as it is and in bodies encoded', () => {
  const fill = createMould(message, marks);
  expect(fill({ address: 'ada@example.com', link: 'https://leave.example.com/?token=abc' }).toString('latin1')).toBe(
    [
      'To: ada@example.com',
      'List-Unsubscribe: <https://leave.example.com/?token=abc>',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Leave: =',
      'https://leave.example.co=',
      'm/?token=3Dabc=',
      ' or <a href=3D"=',
      'https://leave.example.co=',
      'm/?token=3Dabc=',
      '">here</a>',
      'm1@example.com stays',
    ].join('\r\n'),
  );
});

test('a mould makes one message after the other, and nothing of one is in the next', () => {
  const fill = createMould(message, marks);
  const first = fill({ address: 'ada@example.com', link: 'https://a.example' });
  const second = fill({ address: 'grace@example.com', link: 'https://b.example' });
  expect(first.includes('ada@example.com')).toBe(true);
  expect([second.includes('ada@'), second.includes('a.example')]).toEqual([false, false]);
});
