import { hkdfSync, subtle } from 'node:crypto';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import * as v from 'valibot';

/** Makes and reads the tokens of one kind of link. */
interface LinkTokens<Claims> {
  /** A token that is good until its claims' `expiresAt`, in whole seconds: letters, digits, `-`, `_` and `.`. */
  issue(claims: Ending<Claims>): Promise<string>;
  /** The claims of a token; `expired` after its end, `invalid` where this deployment did not make it for such a link. */
  read(token: string, now: Date): Promise<Ending<Claims> | 'expired' | 'invalid'>;
}

type Ending<Claims> = Claims & { expiresAt: Date };

const claimsOfPage = v.object({
  /** The run, whose name begins with that of its report. */
  run: v.string(),
  /** The id of the stored digest. A run that was discarded and collected again has another one. */
  digest: v.string(),
  /** The link is void where the report's links were revoked later. */
  madeAt: v.pipe(
    v.number(),
    v.transform((ms) => new Date(ms)),
  ),
});

/** What the link to a digest's page contains. It names no subscriber: all of a run may have the same. */
export type PageClaims = Ending<v.InferOutput<typeof claimsOfPage>>;

/** Tokens of about 320 characters. */
export type PageTokens = LinkTokens<v.InferOutput<typeof claimsOfPage>>;

/** No token of a page is longer, because a run's name has at most 64 characters. */
export const longestPageToken = 512;

/** What an unsubscribe link contains: the person's hash, and the report. */
const claimsToUnsubscribe = v.pipe(
  v.object({ sub: v.string(), report: v.string() }),
  v.transform(({ sub, report }) => ({ hash: sub, report })),
);

/** Tokens of about 230 characters. They contain no address, so a forwarded mail names nobody. */
export type UnsubscribeTokens = LinkTokens<v.InferOutput<typeof claimsToUnsubscribe>>;

/** The tokens of links to pages under the generated signing secret. */
export function createPageTokens(secret: string): PageTokens {
  return createLinkTokens(secret, {
    audience: 'page',
    write: ({ run, digest, madeAt }) => ({ run, digest, madeAt: madeAt.getTime() }),
    claims: claimsOfPage,
  });
}

/** The tokens of unsubscribe links under the generated signing secret, as in the mails that were sent since the first release. */
export function createUnsubscribeTokens(secret: string): UnsubscribeTokens {
  return createLinkTokens(secret, {
    audience: 'leave',
    write: ({ hash, report }) => ({ sub: hash, report }),
    claims: claimsToUnsubscribe,
  });
}

/** What distinguishes one kind of link from another. */
interface LinkKind<Claims> {
  /** Part of the key, and of every token: what was made for one audience is invalid for another. */
  audience: string;
  write: (claims: Claims) => Readonly<Record<string, string | number>>;
  /** The claims of a token as they are read. */
  claims: v.GenericSchema<unknown, Claims>;
}

/**
 * Authenticated encryption (JWE, RFC 7516, AES-256-GCM) under a key that is derived from the secret for the audience alone:
 * nobody without the secret can make, change or read a token.
 */
function createLinkTokens<Claims>(
  secret: string,
  { audience, write, claims: schema }: LinkKind<Claims>,
): LinkTokens<Claims> {
  const bytes = hkdfSync('sha256', secret, '', `broadcast-digest ${audience} token`, 32);
  // Imported once: a run makes a token for each subscriber.
  const imported = subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  return {
    issue: async (claims) =>
      await new EncryptJWT(write(claims))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(claims.expiresAt)
        .encrypt(await imported),
    read: async (token, now) => {
      try {
        const { payload } = await jwtDecrypt(token, await imported, {
          audience,
          currentDate: now,
          requiredClaims: ['exp'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        const parsed = v.safeParse(schema, payload);
        return parsed.success ? { ...parsed.output, expiresAt: new Date(Number(payload.exp) * 1000) } : 'invalid';
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        // Anybody can send anything as a token: what cannot be decrypted is not ours.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return 'invalid';
        throw error;
      }
    },
  };
}

/** A shorter secret was not generated. */
const fewestCharacters = 32;

/** The generated secret that signs the links. Throws where there is none; the message does not contain the value. */
export async function readSigningSecret(client: SecretsManagerClient, name: string): Promise<string> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
  if (SecretString.length < fewestCharacters) {
    throw new Error(`Secret "${name}" has no generated value of at least ${fewestCharacters} characters.`);
  }
  return SecretString;
}
