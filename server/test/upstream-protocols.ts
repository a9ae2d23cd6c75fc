import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { ReasoningEffort } from '#protocols/canonical/request.ts';
import { google } from '#providers/google.ts';
import { openaiCompatible, openaiResponses } from '#providers/openai-compatible.ts';
import type { ChatService } from '#providers/provider.ts';
import { providers } from '#providers/registry.ts';
import { startGateway, type TestGateway } from './gateway.ts';

interface Vendor {
  readonly providerKey: string;
  readonly isVersioned: boolean;
  readonly embeds: boolean;
  /** OpenAI's chat completions keep the reasoning to themselves. */
  readonly showsReasoning: boolean;
}

/** A vendor for each protocol, all of them the sandbox. */
const vendors: Readonly<Record<ProtocolId, Vendor>> = {
  'openai-chat': { providerKey: 'custom', isVersioned: true, embeds: true, showsReasoning: false },
  'openai-responses': { providerKey: 'responses', isVersioned: true, embeds: false, showsReasoning: true },
  'anthropic-messages': { providerKey: 'anthropic', isVersioned: false, embeds: false, showsReasoning: true },
  gemini: { providerKey: 'gemini', isVersioned: false, embeds: true, showsReasoning: true },
  cohere: { providerKey: 'cohere', isVersioned: false, embeds: true, showsReasoning: true },
  ollama: { providerKey: 'ollama', isVersioned: false, embeds: true, showsReasoning: true },
};

// safe because the record's type names each protocol once
export const upstreamProtocols = Object.keys(vendors) as ProtocolId[];
export const embeddingProtocols = upstreamProtocols.filter((protocol) => vendors[protocol].embeds);
export const reasoningProtocols = upstreamProtocols.filter((protocol) => vendors[protocol].showsReasoning);

/** What the models of each upstream do, by the name a test has for it. */
const models = {
  talk: 'sandbox-normal:tokens=12',
  cached: 'sandbox-normal:tokens=3,cached_tokens=2',
  call: 'sandbox-tool',
  'call-two': 'sandbox-tools',
  reason: 'sandbox-tool:reasoning_tokens=6',
  long: 'sandbox-normal:tokens=2000,interval_ms=5',
  busy: 'sandbox-rate-limited',
  shut: 'sandbox-refuse-key',
  break: 'sandbox-stream-error',
  inspect: 'sandbox-inspect',
  embed: 'sandbox-embedding',
};
export type Purpose = keyof typeof models;

const geminiThinker = 'gemini-2.5-flash';

/** The name by which a caller asks the model of one upstream. */
export const modelOf = (protocol: ProtocolId, purpose: Purpose) => `${protocol}.${purpose}`;

/** The real worker in front of the sandbox, which answers in every protocol, each under names of its own. */
export function startBeforeEveryProtocol(): Promise<TestGateway> {
  addVendors();
  return startGateway({
    patience: { retriesMax: 0 },
    async seed(seed) {
      for (const protocol of upstreamProtocols) {
        const { providerKey, isVersioned } = vendors[protocol];
        const root = seed.sandboxOrigin;
        const own = protocol === 'gemini' ? { ...models, reason: geminiThinker } : models;
        await seed.addInstance({
          name: protocol,
          providerKey,
          endpoint: isVersioned ? `${root}/v1` : root,
          models: Object.values(own),
          aliases: Object.fromEntries(
            Object.entries(own).map(([purpose, model]) => [`${protocol}.${purpose}`, model]),
          ),
        });
      }
    },
  });
}

/**
 * Vendors of responses have chat completions too, and prefer these for all but callers of responses; and what a model
 * of Google's can do is told by a name that none of the sandbox's has.
 */
function addVendors(): void {
  const isReasoningModel = (model: string) => model === models.reason;
  const fitReasoningEffort = (_: string, effort: ReasoningEffort) => effort;
  const responses = openaiCompatible({
    displayName: 'Responses',
    icon: 'custom',
    defaultEndpoint: null,
    chat: { ...openaiResponses, isReasoningModel, dialect: { fitReasoningEffort } },
  });
  const path: ChatService['path'] = (model, isStream, root) =>
    google.chat.path(model === geminiThinker ? models.reason : model, isStream, root);
  const gemini = { ...google, chat: { ...google.chat, path } };
  Object.assign(providers, { responses, gemini });
}
