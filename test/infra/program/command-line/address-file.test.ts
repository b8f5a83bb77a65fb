import { expect, test } from 'vitest';
import { readAddressFile as readFile } from '../../../../infra/program/command-line/address-file.ts';
import { UsageError } from '../../../../infra/program/command-line/result.ts';

/** Reads a file in UTF-8. */
const readAddressFile = (text: string, flags = {}) => readFile(Buffer.from(text), flags);

const addresses = ['ada@example.com', 'bo@example.com'];

test.each([
  ['commas and quotes', 'Name,E-Mail,Site\n"Ada ""The"" L, Countess",ada@example.com,1\nBo, bo@example.com ,2\n'],
  [
    'semicolons, a byte order mark and other line ends',
    '\uFEFFName;Email\r\nAda;ada@example.com\r\n;\r\n\r\nB;bo@example.com\r\n',
  ],
  ['tabs', 'email\tname\nada@example.com\tLovelace, Ada\nbo@example.com\tBo "B"'],
  ['a cell over two lines', 'name,Email Address\n"Ada\nLovelace",ada@example.com\nBo,bo@example.com'],
  [
    'a line of Excel that names the separator',
    'sep=;\r\nName, first;Email\r\nAda;ada@example.com\r\nBo;bo@example.com',
  ],
  ['one column', 'email\nada@example.com\nbo@example.com\n'],
])('the addresses below the heading "email" or the like are taken from a file with %s', (_what, text) => {
  expect(readAddressFile(text)).toEqual({ addresses, doubles: 0, domains: new Map() });
});

test('a domain beyond ASCII is mailed to in Punycode, and is named', () => {
  const text = 'email\nada@Müller.example\nbo@example.com\nADA@xn--mller-kva.example\nbo@⒈..example';
  expect(() => readAddressFile(text)).toThrow(new UsageError(expected(5, 1)));
  expect(readAddressFile(text.slice(0, -14))).toEqual({
    addresses: ['ada@xn--mller-kva.example', 'bo@example.com'],
    doubles: 1,
    domains: new Map([['Müller.example', 'xn--mller-kva.example']]),
  });
});

test('a file without a heading has its addresses from the first line on, which is told by its number like any other', () => {
  expect(readAddressFile('Ada;ada@example.com\nBo;bo@example.com')).toMatchObject({ addresses });
  expect(readAddressFile('email-team@example.com\nbo@example.com').addresses).toHaveLength(2);
  expect(() => readAddressFile('ada@example\nbo@example.com\ncy@')).toThrow(
    new UsageError([expected(1, 1), expected(3, 1)].join('\n')),
  );
  expect(() => readAddressFile('ada.example.com\nbo@example.com')).toThrow(
    'No column is headed "email" or the like, or has an address in line 1.',
  );
});

test('a heading beyond ASCII is read as Excel writes it: in UTF-8, or windows-1252', () => {
  for (const encoding of ['utf8', 'latin1'] as const) {
    const file = Buffer.from('Name;Adresse électronique\nZoë;ada@example.com\nBo;bo@example.com', encoding);
    expect(readFile(file, { column: 'adresse électronique' })).toMatchObject({ addresses });
  }
});

test('--column names another column by its heading', () => {
  const text = 'Email;Kontakt\nboss@example.com;ada@example.com\n;bo@example.com';
  expect(readAddressFile(text, { column: 'kontakt' })).toEqual({ addresses, doubles: 0, domains: new Map() });
});

test.each([
  ['no column is headed so', undefined, 'Name;Kontakt\nA;a@b.c', /^No column .*--column: Name, Kontakt$/],
  ['two are', undefined, 'Email;E-Mail;\nA;a@b.c;', /^More than one column .*--column: Email, E-Mail$/],
  ['no column has the heading', 'Kontkt', 'Email;Kontakt\nA;a@b.c', /^No column has the heading "Kontkt"/],
  ['the file is empty', undefined, '', /^No column is headed/],
])('none is taken where %s', (_what, column, text, fault) => {
  expect(() => readAddressFile(text, { column })).toThrow(fault);
});

const expected = (line: number, column = 2): string =>
  `Line ${line}, column ${column}: expected a valid email address.`;
test('a line without a valid address is named by its number, and none is taken', () => {
  const text = 'name,email\n"A\nB",not an address\n\nBo,bo@example.com\nCy,\nDee,<dee@example.com>\n';
  expect(() => readAddressFile(text)).toThrow(new UsageError([expected(3), expected(6), expected(7)].join('\n')));
});

test.each([
  ['a quoted cell does not end', 'email,name\nada@example.com,Ada\nbo@example.com,"Bo\ncy@example.com,Cy\n'],
  ['a line has more cells than headings', 'Email,Name\nada@example.com,bo@example.com,Ada\n'],
])('where %s, no address is taken, and none is shown', (_what, text) => {
  expect(() => readAddressFile(text)).toThrow(/^This is no CSV file\. [^@]+ line \d\.$/);
});
