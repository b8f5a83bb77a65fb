import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { Settings } from '../../functions/domain/configuration/configuration.ts';
import { optionsOfEither } from '../../functions/domain/configuration/fields.ts';
import sentences from '../../functions/domain/configuration/setting-descriptions.json' with { type: 'json' };

/** A schema as an editor takes it. It asks for nothing: one report may have what it lacks from another, and an environment from all. */
function convert(schema: GenericSchema): JsonSchema {
  const whole = toJsonSchema(schema, {
    // What code checks is left out, and patterns: they would be told without a word of what is expected.
    errorMode: 'ignore',
    overrideAction: ({ valibotAction, jsonSchema: { pattern: _pattern, ...jsonSchema } }) =>
      valibotAction.type === 'regex' ? jsonSchema : undefined,
    overrideSchema: ({ valibotSchema, jsonSchema: { required: _required, ...jsonSchema } }) => {
      const options = optionsOfEither.get(valibotSchema);
      return options === undefined ? jsonSchema : { anyOf: options.map(convert) };
    },
  });
  const { $schema: _version, $defs: _options, ...converted } = whole;
  return converted;
}

/** All settings below one, each with its path, such as `reports[].schedule.at`, in the order of the schema. */
function* settingsBelow(
  { properties = {}, items = [], anyOf = [] }: JsonSchema,
  path: string,
): Generator<[string, JsonSchema]> {
  for (const [name, setting] of Object.entries(properties)) {
    if (typeof setting === 'boolean') continue;
    const below = path === '' ? name : `${path}.${name}`;
    yield [below, setting];
    yield* settingsBelow(setting, below);
  }
  for (const option of anyOf) if (typeof option === 'object') yield* settingsBelow(option, path);
  for (const item of [items].flat()) if (typeof item === 'object') yield* settingsBelow(item, `${path}[]`);
}

/**
 * The JSON Schema of all settings, and each setting with its path, its sentence and its default, in the order of the schema.
 *
 * @throws Error that names a setting without a sentence, or a sentence without a setting
 */
export function describeSettings() {
  const schema = convert(Settings);
  const left = new Map(Object.entries<string>(sentences));
  const settings: Array<{ path: string; sentence: string; byDefault: unknown }> = [];
  for (const [path, setting] of settingsBelow(schema, '')) {
    const sentence = left.get(path);
    const holdsOthers = (setting.properties ?? setting.anyOf ?? setting.items) !== undefined;
    // What a setting consists of may be clear from its own sentence.
    const isClear = holdsOthers || settings.some((other) => path.startsWith(`${other.path}.`));
    if (sentence === undefined && !isClear) throw new Error(`setting-descriptions.json has no sentence for ${path}.`);
    if (sentence === undefined) continue;
    left.delete(path);
    setting.description = sentence;
    settings.push({ path, sentence, byDefault: setting.default });
  }
  const [stray] = left.keys();
  if (stray !== undefined)
    throw new Error(`setting-descriptions.json has a sentence for ${stray}, which is no setting.`);
  return { schema, settings };
}

/** The JSON Schema by which an editor completes `cdk.json`. */
export function cdkSchema(): object {
  const { schema } = describeSettings();
  const environments = { description: 'What differs in an environment, by its name.', type: 'object' };
  const digest = { ...schema, properties: { ...schema.properties, environments } };
  return { type: 'object', properties: { context: { type: 'object', properties: { digest } } } };
}
