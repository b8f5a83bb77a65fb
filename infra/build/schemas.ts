import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import { countsSchema, nestedCountsSchema } from '../../functions/domain/counts-by-word.ts';
import { digestSchema } from '../../functions/digest/schema.ts';
import { receiptSchema } from '../../functions/run/receipt/receipt.ts';

/** The folder of the published schemas. */
export const schemasFolder = fileURLToPath(new URL('../../functions/run/schema/', import.meta.url));

/** The JSON Schemas of the stable interfaces, by file name: made from the schemas that the code itself parses with. */
export function publishedSchemas(): Record<string, string> {
  return {
    'digest.schema.json': text('digest.json: the figures of a run, exactly what the mail says', digestSchema),
    'receipt.schema.json': text('receipt.json: what became of a run so far, over all its triggers', receiptSchema),
  };
}

function text(title: string, schema: Parameters<typeof toJsonSchema>[0]): string {
  return `${JSON.stringify({ title, ...toJsonSchema(schema, { overrideSchema: describeCounts }) }, null, 2)}\n`;
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
  for (const [name, text] of Object.entries(publishedSchemas())) await writeFile(`${schemasFolder}${name}`, text);
}
