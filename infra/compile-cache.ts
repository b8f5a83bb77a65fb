import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what Node compiles of the modules that are imported from now on, and takes it from there the next time: in a short
 * command compiling takes most of the time. Without a folder that can be written nothing is kept.
 */
export function keepCompiledModules(): void {
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/broadcast-digest-modules', import.meta.url)));
}
