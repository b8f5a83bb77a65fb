import type { BroadcastDetail, Delivery, Recipient } from '../../../infra/local/sample-account/account.ts';

/** The sample account as the proxy asks it: over HTTP, each thing once. */
export interface Upstream {
  deliveries(): Promise<Delivery[]>;
  broadcast(id: string): Promise<BroadcastDetail>;
  recipients(deliveryId: string): Promise<Recipient[]>;
  contentRecipients(deliveryId: string, contentId: string): Promise<Recipient[]>;
}

/** Asks the account at `url` under its credentials. Throws where it refuses. */
export function createUpstream(account: { url: string; credentials: { id: string; secret: string } }): Upstream {
  const answers = new Map<string, Promise<unknown>>();
  let token: Promise<string> | null = null;

  const authenticate = async (): Promise<string> => {
    const response = await fetch(`${account.url}/v1/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account.credentials),
    });
    return ((await response.json()) as { token: string }).token;
  };
  const ask = async (path: string): Promise<unknown> => {
    token ??= authenticate();
    const response = await fetch(`${account.url}${path}`, { headers: { authorization: `Bearer ${await token}` } });
    if (response.status === 401) {
      token = authenticate();
      return await ask(path);
    }
    if (!response.ok) throw new Error(`The sample account answered ${response.status} to ${path}.`);
    return await response.json();
  };
  const once = <T>(path: string): Promise<T> => {
    const known = answers.get(path) ?? ask(path);
    answers.set(path, known);
    return known as Promise<T>;
  };

  return {
    deliveries: async () =>
      (await once<Array<{ delivery: Delivery }>>('/v1/broadcasts/deliveries')).map(({ delivery }) => delivery),
    broadcast: (id) => once(`/v1/broadcasts/${id}`),
    recipients: (id) => once(`/v1/broadcasts/deliveries/${id}/recipients`),
    contentRecipients: (id, contentId) => once(`/v1/broadcasts/deliveries/${id}/contents/${contentId}/recipients`),
  };
}
