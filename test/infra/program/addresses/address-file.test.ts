import { describe, expect, test } from 'vitest';
import { decodeFile, readAddressFile } from '../../../../infra/program/addresses/address-file.ts';
import { UsageError } from '../../../../infra/program/command-line/flags.ts';

const several = (columns: string) => `Several columns have addresses. Choose one with --column: ${columns}.`;
const expected = (...places: string[]) => places.map((place) => `${place}: expected a valid email address.`);
const nowhere = (column: string) => `There are no addresses in a column "${column}".`;

describe('a list of addresses', () => {
  test.each([
    ['a line each', 'ada@example.com\nbo@example.com\n', null],
    ['several in a line', 'ada@example.com; bo@example.com', null],
    ['several in one of its lines', 'ada@example.com\n\nbo@example.com, ADA@example.com', null],
    ['separated by spaces below a heading', 'Email\nada@example.com bo@example.com', 'Email'],
    ['separated by commas below a heading', 'email;;\nada@example.com,bo@example.com', 'email'],
    ['below a heading of its own', 'Verteiler\nada@example.com\nbo@example.com', 'Verteiler'],
    [
      'with names, as mail programs copy them',
      'Lovelace, Ada <ada@example.com>; bo@example.com <bo@example.com>',
      null,
    ],
    ['with a name behind an address', 'ada@example.com, Bo B <bo@example.com>', null],
  ])('%s: all are taken', (_what, text, heading) => {
    const addresses = ['ada@example.com', 'bo@example.com'];
    expect(readAddressFile(text)).toMatchObject({ addresses, heading });
  });

  test('an address counts once, whatever its case', () => {
    const text = 'ada@example.com\nADA@Example.com\nbo@example.com; ada@example.com\n';
    const addresses = ['ada@example.com', 'bo@example.com'];
    expect(readAddressFile(text)).toEqual({ addresses, doubles: 2, heading: null });
  });
});

describe('a table', () => {
  const manager = 'boss@example.com';

  test.each([
    ['quotes', 'Name,E-Mail,Site\n"Ada ""The"" L, Countess",ada@example.com,1\nBo, bo@example.com ,2\n'],
    [
      'semicolons, a byte order mark and other line ends',
      '\uFEFFName;Email\r\nAda;ada@example.com\r\n;;\r\n\r\nBo;bo@example.com\r\n',
    ],
    ['tabs', 'email\tname\nada@example.com\tLovelace, Ada\nbo@example.com\tBo'],
    ['spaces around quotes, and quotes within a cell', 'name, email\n "Ada" , ada@example.com\nBo "B",bo@example.com'],
    ['a quoted cell over two lines', 'name,email\n"Ada\nLovelace",ada@example.com\nBo,bo@example.com'],
    ['a quoted separator in its first line', '"Name; first",Email\nAda,ada@example.com\nBo,bo@example.com'],
    ['several addresses in a cell', 'Name;Email\nAda and Bo;"ada@example.com; bo@example.com"'],
    ['a heading that ends like a domain', 'user.name,user.email,email\nA,,ada@example.com\nB,,bo@example.com'],
    ['the only column with addresses', 'Name;Kontakt\nAda;ada@example.com\nBo;bo@example.com'],
    ['the only column with addresses, without a heading', 'Ada;ada@example.com;1\nBo;bo@example.com;2'],
    ['English', `Manager,Email Address\n${manager},ada@example.com\n${manager},bo@example.com`],
    ['German', `Manager;E-Mail-Adresse\n${manager};ada@example.com\n${manager};bo@example.com`],
    ['French', `Adresse électronique;Responsable\nada@example.com;${manager}\nbo@example.com;${manager}`],
    ['one of two such headings has addresses', 'Mail;Email\nShelf 1;ada@example.com\nShelf 2;bo@example.com'],
  ])('%s', (_what, text) => {
    expect(readAddressFile(text)).toMatchObject({ addresses: ['ada@example.com', 'bo@example.com'] });
  });

  const twoColumns = `Leitung;Kontakt\n${manager};ada@example.com\n;bo@example.com`;
  test.each([
    ['its heading', 'kontakt', twoColumns],
    ['its number', '2', twoColumns],
    ['its number, without a heading', '2', `${manager};ada@example.com\nBoss;bo@example.com`],
    [
      'a heading that ends like a domain',
      'user.mail',
      `user.boss;user.mail\n${manager};ada@example.com\n;bo@example.com`,
    ],
  ])('--column names the column by %s', (_what, column, text) => {
    const addresses = ['ada@example.com', 'bo@example.com'];
    expect(readAddressFile(text, { column })).toMatchObject({ addresses });
  });

  test.each([
    ['several columns have addresses', undefined, twoColumns, several('1 (Leitung), 2 (Kontakt)')],
    ['they have no headings, either', undefined, `Ada;ada@example.com\n${manager};Bo`, several('1, 2')],
    ['two have the heading', 'mail', `Mail;Mail\n${manager};ada@example.com`, several('1 (Mail), 2 (Mail)')],
    ['no column has the heading', 'Kontkt', twoColumns, nowhere('Kontkt')],
    ['no column has the number', '3', twoColumns, nowhere('3')],
    ['the file is empty', undefined, '', 'The file has no addresses.'],
    ['it has headings alone', undefined, 'Name;Kontakt\n', 'The file has no addresses.'],
    ['no column has an address', undefined, 'Name;Kontakt\nAda;ada', 'The file has no addresses.'],
    ['another column than the headed one has addresses', undefined, `Email;Manager\nada;${manager}`, nowhere('Email')],
  ])('none is taken where %s', (_what, column, text, fault) => {
    expect(() => readAddressFile(text, { column })).toThrow(new UsageError(fault));
  });
});

describe('a line that does not give its people is named by its number, and never by its text', () => {
  test.each([
    ['an address in the first line of a list', 'ada@example\nbo@example.com', expected('Line 1')],
    ['its @ missing', 'ada.example.com\nbo@example.com', expected('Line 1')],
    ['its @ missing, behind another', 'ada@example.com; bo.example.com\ncy@example.com', expected('Line 1')],
    ['one of several', 'email\nada@example.com, bo', expected('Line 2')],
    ['a person without an address in the first line', 'Ada;\nBo;bo@example.com', expected('Line 1, column 2')],
    [
      'in a table',
      'name,email\n"A\nB",not an address\n\nBo,bo@example.com\nCy,\n,<dee@example>',
      expected('Line 2, column 2', 'Line 6, column 2', 'Line 7, column 2'),
    ],
    [
      'more cells than the heading',
      'Email,Name\nada@example.com,bo@example.com,Ada\ncy@example.com,Cy,\n',
      ['Line 2 has something in a column without a heading.'],
    ],
    [
      'an address below no heading',
      'Name;Email;\nAda;ada@example.com;note\nBo;bo@example.com;cy@example.com',
      ['Line 3 has something in a column without a heading.'],
    ],
  ])('%s', (_what, text, faults) => {
    expect(() => readAddressFile(text)).toThrow(new UsageError(faults.join('\n')));
  });

  test('of many the first twenty, and the number of the others', () => {
    const text = `email\n${Array.from({ length: 5_000 }, (_, index) => `person${index}@example${index < 30 ? '' : '.com'}\n`).join('')}`;
    const faults = [
      ...expected(...Array.from({ length: 20 }, (_, index) => `Line ${index + 2}`)),
      'Such lines in addition: 10.',
    ];
    expect(() => readAddressFile(text)).toThrow(new UsageError(faults.join('\n')));
  });

  test.each([
    ['is not closed', 'email,name\nada@example.com,Ada\nbo@example.com,"Bo\ncy@example.com,Cy\n'],
    ['goes on after its quotes', 'email,name\nada@example.com,Ada\nbo@example.com,"Bo" B\ncy@example.com,Cy\n'],
  ])('where a quoted cell %s, no address is taken from the file', (_what, text) => {
    const fault = 'The quotes in line 3 or after it are wrong: a quoted cell does not end with one.';
    expect(() => readAddressFile(text)).toThrow(new UsageError(fault));
  });

  test('line breaks in a cell count as they do in an editor, whatever they are', () => {
    for (const end of ['\n', '\r\n']) {
      const text = ['name,email', '"A', 'B",ada@example.com', '', 'Bo,not an address'].join(end);
      expect(() => readAddressFile(text)).toThrow(new UsageError(expected('Line 5, column 2').join('')));
    }
  });
});

test.each([
  ['UTF-8', Buffer.from('é;ada@example.com')],
  ['UTF-8 with its mark', Buffer.from('\uFEFFé;ada@example.com')],
  ['UTF-16 with its mark', Buffer.from('\uFEFFé;ada@example.com', 'utf16le')],
  ['Windows-1252', Buffer.from('é;ada@example.com', 'latin1')],
])('a file in %s, as spreadsheets save it, is read', (_what, bytes) => {
  expect(decodeFile(bytes)).toBe('é;ada@example.com');
});
