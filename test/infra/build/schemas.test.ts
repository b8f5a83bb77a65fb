import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { publishedSchemas, schemasFolder } from '../../../infra/build/schemas.ts';

test.each(Object.entries(publishedSchemas()))(
  '%s is published as the code has it (npm run schemas)',
  async (name, text) => {
    expect(JSON.parse(await readFile(`${schemasFolder}${name}`, 'utf8'))).toEqual(JSON.parse(text));
  },
);
