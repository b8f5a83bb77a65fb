import { Readable } from 'node:stream';
import {
  ConditionalCheckFailedException,
  DynamoDB,
  ResourceNotFoundException,
  type ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

/**
 * DynamoDB in the memory of this process, and clients of it. A request goes from the client to dynalite as JSON, without
 * signing, HTTP and files, which take most of the time of a request.
 */
export function createDynamoDbInProcess(): () => DynamoDB {
  const server = dynalite({ createTableMs: 0 });
  const ask = (operation: string, input: unknown): Promise<ServiceOutputTypes> =>
    new Promise((resolve, reject) => {
      const request = Object.assign(Readable.from([Buffer.from(JSON.stringify(input, writeBinary))]), {
        method: 'POST',
        url: '/',
        headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` },
      });
      const response = {
        statusCode: 0,
        setHeader: () => undefined,
        end: (body: string) => {
          if (response.statusCode === 200) resolve({ ...JSON.parse(body, readBinary), $metadata: {} });
          else reject(errorOf(JSON.parse(body)));
        },
      };
      server.emit('request', request, response);
    });
  return () => {
    const client = new DynamoDB({ region: 'eu-west-1' });
    client.middlewareStack.add(
      (_next, { commandName = '' }) =>
        async ({ input }) => ({ response: {}, output: await ask(commandName.replace(/Command$/, ''), input) }),
      { step: 'initialize' },
    );
    return client;
  };
}

/** What dynalite asks for, and does not check. */
const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20261116T080000Z',
  authorization: 'AWS4-HMAC-SHA256 Credential=test, Signature=test, SignedHeaders=test',
};

/** Bytes are in base64 on the wire. A Buffer has become JSON by itself before it comes here. */
function writeBinary(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const before = this[key];
  return before instanceof Uint8Array ? Buffer.from(before).toString('base64') : value;
}

/** An attribute named "B" is an object; only bytes are a text under this key. */
function readBinary(key: string, value: unknown): unknown {
  return key === 'B' && typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : value;
}

function errorOf({ __type = '', message = '' }: { __type?: string; message?: string }): Error {
  const name = __type.replace(/^.*#/, '');
  const known = [ConditionalCheckFailedException, ResourceNotFoundException].find((each) => each.name === name);
  if (known !== undefined) return new known({ message, $metadata: {} });
  return Object.assign(new Error(message), { name });
}
