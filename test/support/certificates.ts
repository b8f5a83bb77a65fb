import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

/** The file of an authority that no system knows. */
export const authorityPath = pathOf('ca');
export const authority = readFileSync(authorityPath, 'utf8');

/** What a server needs for a certificate of that authority: `service` is of service.example.com, `expired` was of localhost. */
export function certificateNamed(name: string) {
  return { cert: readFileSync(pathOf(name)), key: readFileSync(pathOf('key')) };
}
