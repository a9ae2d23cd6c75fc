import type { LlmProvider } from '@sluice/contract';

export const snippetLanguages = ['curl', 'Python', 'TypeScript'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

export const snippetSdks = ['OpenAI', 'Anthropic'] as const;
export type SnippetSdk = (typeof snippetSdks)[number];

interface SnippetOptions {
  /** For curl, selects the protocol. */
  sdk?: SnippetSdk;
  /** Required for users with several tasks. */
  taskId?: number | undefined;
}

interface Call {
  readonly origin: string;
  readonly model: string;
  readonly taskId: number | undefined;
}

/** The example reads the API key from the environment. */
export function chatSnippet(
  language: SnippetLanguage,
  origin: string,
  model: string,
  { sdk = 'OpenAI', taskId }: SnippetOptions = {},
): string {
  return writers[sdk][language]({ origin, model, taskId });
}

const taskHeader = 'X-Task-Id';
const messages = [{ role: 'user', content: 'Hello' }];
const messageTokens = 200;

const writers: Record<SnippetSdk, Record<SnippetLanguage, (call: Call) => string>> = {
  OpenAI: {
    curl: ({ origin, model, taskId }) =>
      writeCurl(`${origin}/api/v1/chat/completions`, { model, messages }, [
        'Authorization: Bearer $SLUICE_API_KEY',
        ...listTaskHeader(taskId),
      ]),
    Python: ({ origin, model, taskId }) =>
      [
        'import os',
        'from openai import OpenAI',
        '',
        ...writePythonClient('OpenAI', `${origin}/api/v1`, taskId),
        'answer = client.chat.completions.create(',
        `    model=${JSON.stringify(model)},`,
        '    messages=[{"role": "user", "content": "Hello"}],',
        ')',
        'print(answer.choices[0].message.content)',
      ].join('\n'),
    TypeScript: ({ origin, model, taskId }) =>
      [
        "import OpenAI from 'openai';",
        '',
        ...writeTypeScriptClient('OpenAI', `${origin}/api/v1`, taskId),
        'const answer = await client.chat.completions.create({',
        `  model: ${JSON.stringify(model)},`,
        "  messages: [{ role: 'user', content: 'Hello' }],",
        '});',
        'console.log(answer.choices[0]?.message.content);',
      ].join('\n'),
  },
  Anthropic: {
    curl: ({ origin, model, taskId }) =>
      writeCurl(`${origin}/api/v1/messages`, { model, max_tokens: messageTokens, messages }, [
        'x-api-key: $SLUICE_API_KEY',
        'anthropic-version: 2023-06-01',
        ...listTaskHeader(taskId),
      ]),
    Python: ({ origin, model, taskId }) =>
      [
        'import os',
        'from anthropic import Anthropic',
        '',
        ...writePythonClient('Anthropic', `${origin}/api`, taskId),
        'message = client.messages.create(',
        `    model=${JSON.stringify(model)},`,
        `    max_tokens=${messageTokens},`,
        '    messages=[{"role": "user", "content": "Hello"}],',
        ')',
        'print(message.content[0].text)',
      ].join('\n'),
    TypeScript: ({ origin, model, taskId }) =>
      [
        "import Anthropic from '@anthropic-ai/sdk';",
        '',
        ...writeTypeScriptClient('Anthropic', `${origin}/api`, taskId),
        'const message = await client.messages.create({',
        `  model: ${JSON.stringify(model)},`,
        `  max_tokens: ${messageTokens},`,
        "  messages: [{ role: 'user', content: 'Hello' }],",
        '});',
        'console.log(message.content);',
      ].join('\n'),
  },
};

const listTaskHeader = (taskId: number | undefined) =>
  taskId === undefined ? [] : [`${taskHeader}: ${taskId}`];

/** Writes each member of the body on its own line, so that the command fits in narrow panels. */
function writeCurl(url: string, body: object, headers: readonly string[]): string {
  const members = Object.entries(body).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return [
    `curl ${url}`,
    ...[...headers, 'Content-Type: application/json'].map((header) => `  -H "${header}"`),
    `  -d ${quoteForShell(`{${members.join(',\n       ')}}`)}`,
  ].join(' \\\n');
}

function writePythonClient(name: SnippetSdk, baseUrl: string, taskId: number | undefined): string[] {
  return [
    `client = ${name}(`,
    `    base_url="${baseUrl}",`,
    '    api_key=os.environ["SLUICE_API_KEY"],',
    ...(taskId === undefined ? [] : [`    default_headers={"${taskHeader}": "${taskId}"},`]),
    ')',
  ];
}

function writeTypeScriptClient(name: SnippetSdk, baseUrl: string, taskId: number | undefined): string[] {
  return [
    `const client = new ${name}({`,
    `  baseURL: '${baseUrl}',`,
    '  apiKey: process.env.SLUICE_API_KEY,',
    ...(taskId === undefined ? [] : [`  defaultHeaders: { '${taskHeader}': '${taskId}' },`]),
    '});',
  ];
}

/**
 * Returns a model that the gateway can currently serve: the default model of the default instance, or else the first
 * enabled model. A sandbox model is returned only if there is no other model.
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
