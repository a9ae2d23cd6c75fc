import type { LlmProvider } from '@sluice/contract';

/** A chat completion through this gate, to run in a shell. */
export function chatSnippet(origin: string, model: string): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  return [
    `curl ${origin}/api/v1/chat/completions`,
    `  -H "Authorization: Bearer $SLUICE_API_KEY"`,
    `  -H "Content-Type: application/json"`,
    `  -d ${quoteForShell(body)}`,
  ].join(' \\\n');
}

/** A model that the gate can serve now: the default instance's own default, else the first that is enabled. */
export function pickModel(providers: readonly LlmProvider[]): string | undefined {
  const active = providers
    .filter((provider) => provider.is_active)
    .toSorted((one, other) => Number(other.is_default) - Number(one.is_default));
  return active
    .map((provider) => provider.default_model ?? provider.enabled_models[0])
    .find((model) => model !== undefined);
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
