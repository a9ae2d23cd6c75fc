import { chatSnippet } from '#lib/chat-snippet.ts';

export interface QuickStart {
  readonly name: string;
  /** Package to install or file to edit. */
  readonly note: string;
  readonly text: string;
}

const curl = (origin: string, model: string): QuickStart => ({
  name: 'curl',
  note: 'A shell with SLUICE_API_KEY set.',
  text: chatSnippet('curl', origin, model),
});

const python = (origin: string, model: string): QuickStart => ({
  name: 'Python',
  note: 'pip install openai',
  text: chatSnippet('Python', origin, model),
});

const openai = (origin: string, model: string): QuickStart => ({
  name: 'openai',
  note: 'npm install openai',
  text: chatSnippet('TypeScript', origin, model),
});

const anthropic = (origin: string, model: string): QuickStart => ({
  name: 'anthropic',
  note: 'npm install @anthropic-ai/sdk',
  text: chatSnippet('TypeScript', origin, model, { sdk: 'Anthropic' }),
});

const vercel = (origin: string, model: string): QuickStart => ({
  name: 'ai (Vercel)',
  note: 'npm install ai @ai-sdk/openai',
  text: [
    "import { createOpenAI } from '@ai-sdk/openai';",
    "import { generateText } from 'ai';",
    '',
    `const sluice = createOpenAI({ baseURL: '${origin}/api/v1', apiKey: process.env.SLUICE_API_KEY });`,
    `const { text } = await generateText({ model: sluice.chat('${model}'), prompt: 'Hello' });`,
    'console.log(text);',
  ].join('\n'),
});

const langchain = (origin: string, model: string): QuickStart => ({
  name: 'langchain',
  note: 'npm install @langchain/openai',
  text: [
    "import { ChatOpenAI } from '@langchain/openai';",
    '',
    'const chat = new ChatOpenAI({',
    `  model: '${model}',`,
    '  apiKey: process.env.SLUICE_API_KEY,',
    `  configuration: { baseURL: '${origin}/api/v1' },`,
    '});',
    "const answer = await chat.invoke('Hello');",
    'console.log(answer.content);',
  ].join('\n'),
});

/** Only the base URL and the key differ from a direct call to the provider. */
export const quickStarts = (origin: string, model: string): QuickStart[] =>
  [curl, python, openai, anthropic, vercel, langchain].map((start) => start(origin, model));

/** Returns settings of coding assistants that support a custom base URL. */
export const assistants = (origin: string, model: string): QuickStart[] => [
  {
    name: 'Claude Code',
    note: 'Environment variables',
    text: [
      `export ANTHROPIC_BASE_URL=${origin}/api`,
      'export ANTHROPIC_AUTH_TOKEN=$SLUICE_API_KEY',
      `export ANTHROPIC_MODEL=${model}`,
      'claude',
    ].join('\n'),
  },
  {
    name: 'Codex',
    note: '~/.codex/config.toml',
    text: [
      `model = "${model}"`,
      'model_provider = "sluice"',
      '',
      '[model_providers.sluice]',
      'name = "Sluice"',
      `base_url = "${origin}/api/v1"`,
      'env_key = "SLUICE_API_KEY"',
      'wire_api = "responses"',
    ].join('\n'),
  },
  {
    name: 'aider',
    note: 'Environment variables',
    text: [
      `export OPENAI_API_BASE=${origin}/api/v1`,
      'export OPENAI_API_KEY=$SLUICE_API_KEY',
      `aider --model openai/${model}`,
    ].join('\n'),
  },
  {
    name: 'Continue',
    note: '~/.continue/config.yaml',
    text: [
      'models:',
      '  - name: Sluice',
      '    provider: openai',
      `    model: ${model}`,
      `    apiBase: ${origin}/api/v1`,
      '    apiKey: YOUR_SLUICE_KEY',
    ].join('\n'),
  },
];

export const taskPlaceholder = 'YOUR_TASK_ID';

/**
 * Shows both ways to send a key and the Sluice-specific fields. If `taskId` is missing, the examples use a
 * placeholder.
 */
export function referenceSnippets(origin: string, model: string, taskId: number | undefined) {
  const task = taskId ?? taskPlaceholder;
  const body = JSON.stringify(
    { model, messages: [{ role: 'user', content: 'Hello' }], task_id: task, format: 'minimal' },
    null,
    2,
  ).replace(`"${taskPlaceholder}"`, taskPlaceholder);
  const call = (header: string) =>
    [
      `curl -X POST ${origin}/api/v1/chat/completions \\`,
      `  -H "${header}" \\`,
      '  -H "Content-Type: application/json" \\',
      `  -d '${body}'`,
    ].join('\n');
  return {
    apiKey: call('X-API-Key: $SLUICE_API_KEY'),
    bearer: call('Authorization: Bearer $SLUICE_API_KEY'),
  };
}
