import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Where a text that `JSON.parse` refuses stops being JSON, by esbuild's parser; line and column count from 1. The message of
 * `JSON.parse` quotes the text, and gives no position for some faults.
 */
export function positionOfJsonFault(text: string): { line: number; column: number } {
  // Loaded here: faults are rare.
  const { transformSync }: typeof import('esbuild') = require('esbuild');
  try {
    transformSync(text, { loader: 'json', logLevel: 'silent' });
  } catch (error) {
    const [fault]: Array<{ location: { line: number; column: number } | null }> = Object(error).errors ?? [];
    if (fault?.location) return { line: fault.location.line, column: fault.location.column + 1 };
  }
  return { line: 1, column: 1 };
}
