import type { LlmProvider } from '@sluice/contract';

export const snippetLanguages = ['curl', 'Python', 'TypeScript'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

/** A chat completion through this gate; the API key is taken from the environment. */
export function chatSnippet(language: SnippetLanguage, origin: string, model: string): string {
  return writers[language](`${origin}/api/v1`, model);
}

const writers: Record<SnippetLanguage, (baseUrl: string, model: string) => string> = {
  curl: (baseUrl, model) => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
    return [
      `curl ${baseUrl}/chat/completions`,
      `  -H "Authorization: Bearer $SLUICE_API_KEY"`,
      `  -H "Content-Type: application/json"`,
      `  -d ${quoteForShell(body)}`,
    ].join(' \\\n');
  },
  Python: (baseUrl, model) =>
    [
      'import os',
      'from openai import OpenAI',
      '',
      `client = OpenAI(base_url="${baseUrl}", api_key=os.environ["SLUICE_API_KEY"])`,
      'answer = client.chat.completions.create(',
      `    model=${JSON.stringify(model)},`,
      '    messages=[{"role": "user", "content": "Hello"}],',
      ')',
      'print(answer.choices[0].message.content)',
    ].join('\n'),
  TypeScript: (baseUrl, model) =>
    [
      "import OpenAI from 'openai';",
      '',
      `const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: process.env.SLUICE_API_KEY });`,
      'const answer = await client.chat.completions.create({',
      `  model: ${JSON.stringify(model)},`,
      "  messages: [{ role: 'user', content: 'Hello' }],",
      '});',
      'console.log(answer.choices[0]?.message.content);',
    ].join('\n'),
};

/**
 * A model that the gate can serve now: the default instance's own default, else the first that is enabled; of the
 * sandbox only while there is nothing else.
 */
export function pickModel(providers: readonly LlmProvider[]): string | undefined {
  const active = providers
    .filter((provider) => provider.is_active)
    .toSorted((one, other) => rankOf(other) - rankOf(one));
  return active
    .map((provider) => provider.default_model ?? provider.enabled_models[0])
    .find((model) => model !== undefined);
}

const rankOf = ({ provider_key, is_default }: LlmProvider): number =>
  (provider_key === 'sandbox' ? 0 : 2) + Number(is_default);

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
