import { expect, test } from 'vitest';
import { readAddressFile } from '../../../../infra/ops/addresses/address-file.ts';

test.each([
  ['one column without a heading', 'ada@example.com\nbo@example.com\n'],
  ['a heading', 'Address\nada@example.com\nbo@example.com'],
  ['a column among others', 'Name,E-Mail,Site\n"Ada ""The"" L, Countess",ada@example.com,1\nBo, bo@example.com ,2\n'],
  [
    'semicolons, a byte order mark and other line ends',
    '\uFEFFName;Email\r\nAda;ada@example.com\r\n\r\nBo;bo@example.com\r\n',
  ],
  ['tabs', 'email\tname\nada@example.com\tAda\nbo@example.com\tBo'],
  ['a quoted cell over two lines', 'name,email\n"Ada\nLovelace",ada@example.com\nBo,bo@example.com'],
])('%s', (_what, text) => {
  expect(readAddressFile(text)).toEqual({ addresses: ['ada@example.com', 'bo@example.com'], doubles: 0, faults: [] });
});

test('an address counts once, whatever its case', () => {
  const text = 'ada@example.com\nADA@Example.com\nbo@example.com\nada@example.com\n';
  expect(readAddressFile(text)).toEqual({ addresses: ['ada@example.com', 'bo@example.com'], doubles: 2, faults: [] });
});

test('a line without an address is named by its number, and never by its text', () => {
  const { faults } = readAddressFile('name,email\n"A\nB",not an address\nBo,bo@example.com\nCy,\n');
  expect(faults).toEqual([
    'Line 2 holds no address such as name@example.com.',
    'Line 5 holds no address such as name@example.com.',
  ]);
  expect(readAddressFile(`email\n${'x\n'.repeat(30)}`).faults).toHaveLength(21);
  expect(readAddressFile('')).toEqual({ addresses: [], doubles: 0, faults: [] });
});
