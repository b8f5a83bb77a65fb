interface Stack {
  add(middleware: typeof throwInOwnWords, options: typeof outermost): void;
}

const outermost = { step: 'initialize', priority: 'high', name: 'inOwnWords' } as const;

/**
 * Lets a client of AWS throw no text of others: a message of DynamoDB may quote an item, and with it an address, and what a
 * function throws stays in its log and in the history of an execution. Class, name and status stay as they are.
 */
export function inOwnWords<C extends { middlewareStack: Stack }>(client: C): C {
  client.middlewareStack.add(throwInOwnWords, outermost);
  return client;
}

function throwInOwnWords<In, Out>(next: (args: In) => Promise<Out>): (args: In) => Promise<Out> {
  return async (args) => {
    try {
      return await next(args);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const message = 'A request to AWS failed.';
      throw Object.assign(error, { message, stack: error.stack?.replace(error.message, message), cause: undefined });
    }
  };
}

/** What may be logged of an error, or of the one that caused it: its name, its code, and where in our own code it came from. */
export function describeError(error: unknown): { name: string; code?: string; at?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  if (error.cause instanceof Error) return describeError(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  // Its message may have lines of its own.
  const frames = (error.stack ?? '').replace(error.message, '').match(/^ +at .*$/gm) ?? [];
  const frame = frames.find((line) => !/node_modules|node:|\/var\/runtime\//.test(line));
  const at = /([\w.-]+:\d+:\d+)\)?$/.exec(frame ?? '')?.[1];
  return { name: error.name, ...code, ...(at === undefined ? {} : { at }) };
}
