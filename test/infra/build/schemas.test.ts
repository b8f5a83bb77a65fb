import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { publishedSchemas } from '../../../infra/build/schemas.ts';

test.each(Object.entries(publishedSchemas()))(
  '%s is published as the code has it (npm run schemas)',
  async (path, text) => {
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(JSON.parse(text));
  },
);
