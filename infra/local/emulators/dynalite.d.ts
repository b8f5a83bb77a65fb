declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** Starts nothing by itself: the server opens its LevelDB at `path`, or in memory, and answers once it listens. */
  export default function dynalite(options: { path?: string; createTableMs?: number; deleteTableMs?: number }): Server;
}
