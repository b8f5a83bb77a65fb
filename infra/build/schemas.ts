import { writeFile } from 'node:fs/promises';
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import { countsSchema, nestedCountsSchema } from '../../functions/domain/counts-by-word.ts';
import { digestSchema } from '../../functions/digest/schema.ts';
import { receiptSchema } from '../../functions/run/receipt/receipt.ts';
import { cdkSchema } from './settings-schema.ts';

/** The JSON Schemas of the stable interfaces, by their paths: made from the schemas that the code itself parses with. */
export function publishedSchemas(): Record<string, string> {
  return {
    'functions/run/schema/digest.schema.json': text(
      'digest.json: the figures of a run, exactly what the mail says',
      digestSchema,
    ),
    'functions/run/schema/receipt.schema.json': text(
      'receipt.json: what became of a run so far, over all its triggers',
      receiptSchema,
    ),
    'infra/cdk.schema.json': written('cdk.json: what an editor completes', cdkSchema()),
  };
}

function text(title: string, schema: Parameters<typeof toJsonSchema>[0]): string {
  return written(title, toJsonSchema(schema, { overrideSchema: describeCounts }));
}

function written(title: string, schema: object): string {
  return `${JSON.stringify({ title, ...schema }, null, 2)}\n`;
}

const counts: JsonSchema = {
  type: 'object',
  propertyNames: { type: 'string' },
  additionalProperties: { type: 'number' },
};

/** The schemas of counts check with code, so what they check is described here. */
function describeCounts({ valibotSchema }: { valibotSchema: unknown }): JsonSchema | undefined {
  if (valibotSchema === countsSchema) return counts;
  return valibotSchema === nestedCountsSchema ? { ...counts, additionalProperties: counts } : undefined;
}

if (import.meta.main) {
  for (const [path, schema] of Object.entries(publishedSchemas())) await writeFile(path, schema);
}
