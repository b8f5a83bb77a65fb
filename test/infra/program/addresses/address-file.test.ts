import { expect, test } from 'vitest';
import { readAddressFile } from '../../../../infra/program/addresses/address-file.ts';

test.each([
  ['one column without a heading', 'ada@example.com\nbo@example.com\n'],
  ['a heading', 'Address\nada@example.com\nbo@example.com'],
  ['a column among others', 'Name,E-Mail,Site\n"Ada ""The"" L, Countess",ada@example.com,1\nBo, bo@example.com ,2\n'],
  [
    'semicolons, a byte order mark and other line ends',
    '\uFEFFName;Email\r\nAda;ada@example.com\r\n\r\nBo;bo@example.com\r\n',
  ],
  ['tabs', 'email\tname\nada@example.com\tAda\nbo@example.com\tBo'],
  ['spaces around quotes, and quotes within a cell', 'name, email\n "Ada" , ada@example.com\nBo "B",bo@example.com'],
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
  expect(faults).toEqual(['Line 2 has no valid email address.', 'Line 5 has no valid email address.']);
  expect(readAddressFile(`email\n${'x\n'.repeat(30)}`).faults).toHaveLength(21);
  expect(readAddressFile('')).toEqual({ addresses: [], doubles: 0, faults: [] });
});

test.each([
  ['is not closed', 'email,name\nada@example.com,Ada\nbo@example.com,"Bo\ncy@example.com,Cy\n'],
  ['goes on after its quotes', 'email,name\nada@example.com,Ada\nbo@example.com,"Bo" B\ncy@example.com,Cy\n'],
])('where a quoted cell %s, no address is taken from the file, and its line is named', (_what, text) => {
  const faults = ['The quotes in line 3 or after it are wrong: a quoted cell does not end with one.'];
  expect(readAddressFile(text)).toEqual({ addresses: [], doubles: 0, faults });
});

test('line breaks in a cell count as they do in an editor, whatever they are', () => {
  for (const end of ['\n', '\r\n']) {
    const text = ['name,email', '"A', 'B",ada@example.com', '', 'Bo,not an address'].join(end);
    expect(readAddressFile(text).faults).toEqual(['Line 5 has no valid email address.']);
  }
});
