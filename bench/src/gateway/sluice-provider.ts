import { setTimeout as delay } from 'node:timers/promises';
import { providerModel } from './request-body.ts';

// Every worker receives a change within one second.
const knownEverywhereMs = 1_500;

interface Access {
  origin: string;
  email: string;
  password: string;
}

/** Adds the provider as an instance in Sluice, as an administrator would. */
export async function addProvider(
  { origin, email, password }: Access,
  upstream: string,
  models: readonly string[] = [providerModel],
): Promise<void> {
  const credentials = new URLSearchParams({ username: email, password });
  const session: { access_token: string } = await call(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    body: credentials,
  });
  const headers = { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' };
  const vendors: { id: number; provider_key: string }[] = await call(`${origin}/api/v1/provider-registry`, {
    headers,
  });
  const instance = {
    provider_registry_id: vendors.find(({ provider_key }) => provider_key === 'custom')?.id,
    provider_instance_name: 'benchmark',
    api_key: 'sk-benchmark',
    api_endpoint: `${upstream}/v1`,
    enabled_models: models,
  };
  await call(`${origin}/api/v1/llm-providers`, { method: 'POST', headers, body: JSON.stringify(instance) });
  await delay(knownEverywhereMs);
}

async function call(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  return JSON.parse(await response.text());
}
