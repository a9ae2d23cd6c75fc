import type { Scene } from './scene-provider.ts';

export interface Connection {
  readonly origin: string;
  readonly apiKey: string;
  readonly model: string;
}

interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, object | string>>;
}

export interface ClientProgram {
  readonly packageName: string;
  readonly version: string;
  readonly command: string;
  readonly protocol: string;
  /** Client tool that runs `cat note.txt`, with the arguments of the call. */
  readonly call: { readonly name: string; readonly arguments: object };
  launch(connection: Connection, prompt: string, scene: Scene): Launch;
}

const readNote = 'cat note.txt';

/** Clients with their versions in the npm registry. They are never dependencies. */
export const programs: Readonly<Record<string, ClientProgram>> = {
  codex: {
    packageName: '@openai/codex',
    version: '0.169.0',
    command: 'codex',
    protocol: 'responses',
    call: { name: 'exec_command', arguments: { cmd: readNote } },
    launch: ({ origin, apiKey, model }, prompt, scene) => ({
      args: [
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '--color=never',
        prompt,
      ],
      env: { SLUICE_API_KEY: apiKey },
      files: {
        '.codex/config.toml': `
model = "${model}"
model_provider = "sluice"
check_for_update_on_startup = false
${scene === 'thinking' ? 'model_reasoning_effort = "medium"\nmodel_reasoning_summary = "auto"' : ''}
[analytics]
enabled = false
[model_providers.sluice]
name = "Sluice"
base_url = "${origin}/api/v1"
env_key = "SLUICE_API_KEY"
wire_api = "responses"
`,
      },
    }),
  },
  'claude-code': {
    packageName: '@anthropic-ai/claude-code',
    version: '2.1.332',
    command: 'claude',
    protocol: 'messages',
    call: { name: 'Bash', arguments: { command: readNote, description: 'Read the note' } },
    launch: ({ origin, apiKey, model }, prompt, scene) => ({
      args: ['-p', '--dangerously-skip-permissions', '--model', model, prompt],
      env: {
        ANTHROPIC_BASE_URL: `${origin}/api`,
        ANTHROPIC_API_KEY: apiKey,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        MAX_THINKING_TOKENS: scene === 'thinking' ? '4000' : '0',
        // Root may skip permission checks only in a sandbox.
        IS_SANDBOX: '1',
      },
      files: {},
    }),
  },
  opencode: {
    packageName: 'opencode-ai',
    version: '1.18.33',
    command: 'opencode',
    protocol: 'chat completions',
    call: { name: 'bash', arguments: { command: readNote, description: 'Read the note' } },
    launch: ({ origin, apiKey, model }, prompt, scene) => ({
      args: ['run', '--auto', prompt],
      env: {
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_SHARE: '1',
        // The client tries to install its plugin package. The proxy blocks the download.
        NPM_CONFIG_FETCH_RETRIES: '0',
      },
      files: {
        '.config/opencode/opencode.json': {
          model: `sluice/${model}`,
          small_model: `sluice/${model}`,
          provider: {
            sluice: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Sluice',
              options: { baseURL: `${origin}/api/v1`, apiKey },
              models: {
                [model]: {
                  name: model,
                  ...(scene === 'thinking' && {
                    reasoning: true,
                    interleaved: { field: 'reasoning_content' },
                    options: { reasoningEffort: 'medium' },
                  }),
                },
              },
            },
          },
        },
      },
    }),
  },
  cline: {
    packageName: 'cline',
    version: '3.0.65',
    command: 'cline',
    protocol: 'chat completions',
    call: { name: 'run_commands', arguments: { commands: [readNote] } },
    launch: ({ origin, apiKey, model }, prompt, scene) => ({
      args: [
        '--provider',
        'openai-compatible',
        '--model',
        model,
        '--thinking',
        scene === 'thinking' ? 'medium' : 'none',
        prompt,
      ],
      // The local mode starts no daemon, which would keep running after the client exits.
      env: { CLINE_SESSION_BACKEND_MODE: 'local' },
      files: {
        '.cline/data/settings/global-settings.json': { telemetryOptOut: true, autoUpdateEnabled: false },
        '.cline/data/settings/providers.json': {
          version: 1,
          lastUsedProvider: 'openai-compatible',
          modes: {},
          providers: {
            'openai-compatible': {
              settings: { provider: 'openai-compatible', apiKey, model, baseUrl: `${origin}/api/v1` },
              updatedAt: '2026-11-26T00:00:00.000Z',
              tokenSource: 'manual',
            },
          },
        },
      },
    }),
  },
  'gemini-cli': {
    packageName: '@google/gemini-cli',
    version: '0.61.0',
    command: 'gemini',
    protocol: 'generateContent',
    call: { name: 'run_shell_command', arguments: { command: readNote } },
    launch: ({ origin, apiKey, model }, prompt) => ({
      args: ['--model', model, '--approval-mode', 'yolo', '--prompt', prompt],
      env: {
        GOOGLE_GEMINI_BASE_URL: `${origin}/api`,
        GEMINI_API_KEY: apiKey,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      files: {
        '.gemini/settings.json': {
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        },
      },
    }),
  },
};
