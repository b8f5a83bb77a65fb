/** A client of AWS, whichever. */
interface Client {
  middlewareStack: {
    add(middleware: typeof throwInOwnWords, options: { step: 'initialize'; priority: 'high'; name: string }): void;
  };
}

/**
 * Lets a client of AWS throw no text of others: a message of DynamoDB may quote an item, and with it an address, and what a
 * function throws stays in its log and in the history of an execution. Class, name and status stay as they are.
 */
export function inOwnWords<C extends Client>(client: C): C {
  client.middlewareStack.add(throwInOwnWords, { step: 'initialize', priority: 'high', name: 'inOwnWords' });
  return client;
}

function throwInOwnWords<In, Out>(next: (args: In) => Promise<Out>): (args: In) => Promise<Out> {
  return async (args) => {
    try {
      return await next(args);
    } catch (error) {
      if (error instanceof Error) withoutText(error);
      throw error;
    }
  };
}

function withoutText(error: Error): void {
  const message = 'A request to AWS failed.';
  const stack = [`${error.name}: ${message}`, ...framesOf(error)].join('\n');
  Object.assign(error, { message, stack, cause: undefined });
}

/** What may be logged of an error, or of the one that caused it: its name, its code, and where in our own code it came from. */
export function describeError(error: unknown): { name: string; code?: string; at?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  if (error.cause instanceof Error) return describeError(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const own = framesOf(error).find((frame) => !/node_modules|node:|\/var\/runtime\//.test(frame));
  const at = /([\w.-]+:\d+:\d+)\)?$/.exec(own ?? '')?.[1];
  return { name: error.name, ...code, ...(at === undefined ? {} : { at }) };
}

/** The stack without its message, which may have lines of its own. */
function framesOf({ stack = '', message }: Error): string[] {
  return stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
}
