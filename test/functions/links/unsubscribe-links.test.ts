import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { createUnsubscribeTokens, readUnsubscribeSecret } from '../../../functions/links/unsubscribe-links.ts';

const now = new Date('2026-11-16T09:00:00Z');
const expiresAt = new Date('2027-02-14T08:00:00Z');
const leave = { hash: '3d1f3a2b', report: 'weekly', expiresAt };
const leaving = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');

test('a token says what it was made of until it ends', async () => {
  const token = await leaving.issue(leave);
  expect(await leaving.read(token, now)).toEqual(leave);
  expect(await leaving.read(token, new Date('2027-02-14T07:59:59Z'))).toEqual(leave);
  expect(await leaving.read(token, new Date('2027-02-14T08:00:01Z'))).toBe('expired');
});

test('a token shows nothing without the secret, and needs no escaping in a URL', async () => {
  const token = await leaving.issue(leave);
  const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect(decoded.join()).not.toMatch(/3d1f3a2b|weekly/);
  expect(token).toMatch(/^[\w.-]{100,400}$/);
});

test('a token to unsubscribe is read where an earlier release made it', async () => {
  const iv = 'KMeEnFv2CnM5V7Ne';
  const body = 'BIzUkQTkyrug0LBQB94xN6mmJ7Tlj342PUIggrWyuEtdmDTCBVpqf_oKHzTzuHLCBv0UBzMmNtgi4QcFNpULJ9I5EA';
  const token = `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${iv}.${body}.9Nxt3JdOnpLkJGJGrg4hHQ`;
  const read = await leaving.read(token, now);
  expect(read).toEqual({ ...leave, expiresAt: new Date('2027-12-20T00:00:00Z') });
});

test.each([undefined, '', 'canary'])('no link is made where no secret was generated: %j', async (SecretString) => {
  mockClient(SecretsManagerClient).on(GetSecretValueCommand, { SecretId: 'links' }).resolves({ SecretString });
  const message = 'Secret "links" has no generated value of at least 32 characters.';
  await expect(readUnsubscribeSecret(new SecretsManagerClient({}), 'links')).rejects.toThrow(message);
});
