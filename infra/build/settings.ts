import { readFile } from 'node:fs/promises';

/** A setting of `cdk.json`: its path, such as `reports[].schedule.at`, the sentences above its field, and its default as in the source. */
export interface Setting {
  path: string;
  sentences: string;
  byDefault: string | undefined;
}

const folder = new URL('../../functions/domain/configuration/', import.meta.url);

/** A field of a schema as the formatter writes it: the comment above it, its indentation, its name, and the code up to the next field. */
const fieldPattern = /((?:^ +\/?\*.*\n)*)^( +)([a-z]\w*): (.*\n(?:\2 .*\n)*)/gm;

/**
 * Every setting, in the order of the schema, in the schema's own words: the comment above its field.
 *
 * @throws Error that names a field without a comment
 */
export async function readSettings(): Promise<Setting[]> {
  const sources = ['fields.ts', 'configuration.ts'].map((file) => readFile(new URL(file, folder), 'utf8'));
  const declarations = (await Promise.all(sources))
    .join('\n')
    .matchAll(/^(?:export )?const (\w+) = (.*\n(?: .*\n)*)/gm);
  const constants = new Map([...declarations].map(([, name = '', code = '']) => [name, code]));
  return settingsIn(constants.get('ConfigurationSchema') ?? '', '', constants);
}

/** The settings of an object of fields. A constant that a field names stands for its code. */
function settingsIn(code: string, prefix: string, constants: ReadonlyMap<string, string>): Setting[] {
  const settings: Setting[] = [];
  for (const [, comment = '', , name = '', schema = ''] of code.matchAll(fieldPattern)) {
    const path = `${prefix}${name}`;
    const sentences = comment
      .replaceAll(/^ +\/?\*+\/?|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const whole = withConstants(schema, constants);
    const isList = /^(?:v\.\w+\(\s*)*list\(/.test(whole);
    const nested = settingsIn(whole.slice(whole.indexOf('\n')), `${path}${isList ? '[]' : ''}.`, constants);
    if (sentences === '' && nested.length === 0) throw new Error(`The field ${path} has no comment above it.`);
    const [, byDefault] = /, ('[^']*'|\d+|true|false|\[(?!\.)[^[\]]*\])\)?,?\n$/.exec(schema) ?? [];
    if (sentences !== '') settings.push({ path, sentences, byDefault });
    settings.push(...nested);
  }
  return settings;
}

/** The code of a schema with that of the constants in it, which have fields or stand for one that has. */
function withConstants(schema: string, constants: ReadonlyMap<string, string>): string {
  return schema.replaceAll(/\b[A-Z]\w+\b/g, (constant) => {
    const code = constants.get(constant) ?? constant;
    return code === constant || code.search(fieldPattern) >= 0 ? code : withConstants(code, constants);
  });
}
