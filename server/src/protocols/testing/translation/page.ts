import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { EncodedRequest, RequestTarget } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { nameForCaller } from '#protocols/translation/caller-names.ts';
import { makeToolNamesPortable } from '#protocols/translation/tool-names.ts';
import type { ChatService } from '#providers/provider.ts';
import { providers } from '#providers/registry.ts';
import { callerProtocols } from '../../../../test/through-callers.ts';
import { contents } from './contents.ts';
import { type Feature, plainRequests } from './feature.ts';
import { tools } from './tools.ts';
import { wishes } from './wishes.ts';

type Caller = (typeof callerProtocols)[number];

/** Result of translating a feature from a caller to a provider. */
export type Outcome =
  | { readonly kind: 'as is' | 'carried' | 'lost' }
  | { readonly kind: 'warned'; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly param: string | null; readonly message: string };

interface Upstream {
  readonly title: string;
  readonly service: ChatService | undefined;
  readonly model: string;
  /** A reasoning model. */
  readonly thinker: string;
}

/** One vendor per protocol, with models that support the feature. */
const upstreams: Readonly<Record<ProtocolId, Upstream>> = {
  'openai-chat': {
    title: 'chat completions',
    service: providers.openai.chat,
    model: 'gpt-4.1',
    thinker: 'gpt-5.1',
  },
  'openai-responses': {
    title: 'responses',
    service: providers.openai.alsoSpeaks?.[0],
    model: 'gpt-4.1',
    thinker: 'gpt-5.1',
  },
  'anthropic-messages': {
    title: 'Anthropic',
    service: providers.anthropic.chat,
    model: 'claude-sonnet-4-5',
    thinker: 'claude-sonnet-4-5',
  },
  gemini: {
    title: 'Gemini',
    service: providers.google.chat,
    model: 'gemini-2.5-flash',
    thinker: 'gemini-2.5-flash',
  },
  cohere: {
    title: 'Cohere',
    service: providers.cohere.chat,
    model: 'command-a-03-2025',
    thinker: 'command-a-reasoning-08-2025',
  },
  ollama: { title: 'Ollama', service: providers.ollama.chat, model: 'llama3.2', thinker: 'qwen3' },
};
const upstreamIds = Object.keys(upstreams) as ProtocolId[]; // safe because the record's type names each protocol once

export const features = [...contents, ...tools, ...wishes];

/** Determines what the code does with a feature; `null` if the caller's protocol does not have it. */
export function findOutcome(feature: Feature, caller: Caller, upstream: ProtocolId): Outcome | null {
  const fields = feature.fields[caller.id];
  if (fields === undefined) return null;
  if (caller.id === upstream) return { kind: 'as is' };
  const plain = encode(caller, upstream, {}, feature);
  const asked = encode(caller, upstream, fields, feature);
  if (!plain.ok) throw new Error(`a plain request is refused: ${plain.problem.message}`);
  if (!asked.ok) return { kind: 'refused', ...asked.problem };
  const warnings = asked.warnings.filter((warning) => !plain.warnings.includes(warning));
  if (warnings.length > 0) return { kind: 'warned', warnings };
  const isSame = JSON.stringify(asked.body) === JSON.stringify(plain.body);
  return { kind: isSame ? 'lost' : 'carried' };
}

function encode(caller: Caller, upstream: ProtocolId, fields: object, feature: Feature): EncodedRequest {
  const { service, model, thinker } = upstreams[upstream];
  const named = feature.needsReasoning ? thinker : model;
  const isInPath = caller.id === 'gemini';
  const body = { ...(!isInPath && { model: named }), ...plainRequests[caller.id], ...fields };
  const path = isInPath ? { model: named, isStream: false } : { model: null, isStream: null };
  const parsed = caller.caller.parseRequest(Buffer.from(JSON.stringify(body)), path);
  if (!parsed.ok) return parsed;
  const decoded = parsed.request.toCanonical();
  if (!decoded.ok) return decoded;
  const target: RequestTarget = {
    model: named,
    isStream: false,
    defaultOutputTokensMax: 4_096,
    isReasoningModel: service?.isReasoningModel?.(named) ?? false,
    ...(service?.dialect && { dialect: service.dialect }),
  };
  return nameForCaller(
    protocols[upstream].provider.encodeRequest(makeToolNamesPortable(decoded.request).request, target),
    caller.caller.parameterNames,
  );
}

const introduction = `# Translation

Callers speak one of four protocols, providers one of six. Where both speak the same, bytes pass as they are but for a few named edits. Else a
request is decoded, and encoded anew: this page says what becomes of what a caller may ask for. It is written by
\`server/src/protocols/translation-page.test.ts\`, which fails when the code does otherwise (\`npx vitest run --project unit-pure -u\` with that
path writes it anew).

- **as is**: the caller's own bytes.
- **yes**: in the provider's own terms.
- **warned**: left out, or not in full; the header \`x-sluice-warning\` names it.
- **400**: the provider cannot do it and the answer would mean something else, so the request is refused, in the words below each table.
  Where a model is enabled at several instances, one that can is chosen instead.

Models have limits of their own, such as which efforts they take; the tables hold for common models of OpenAI, Anthropic, Google, Cohere and Ollama.
Other vendors speak OpenAI's chat completions, with the departures that their rows name.
`;

/** Generates docs/TRANSLATION.md from the behavior of the code. */
export function writePage(): string {
  return [introduction, ...callerProtocols.map(writeSection)].join('\n');
}

const headings: Partial<Record<ProtocolId, string>> = {
  'openai-chat': "Callers of OpenAI's chat completions",
  'openai-responses': "Callers of OpenAI's responses",
  'anthropic-messages': "Callers of Anthropic's messages",
  gemini: "Callers of Google's generateContent",
};

function writeSection(caller: Caller): string {
  const columns = upstreamIds.filter((id) => id !== caller.id);
  const rows = features.flatMap((feature) => {
    const outcomes = columns.map((id) => findOutcome(feature, caller, id));
    return outcomes[0] ? [`| ${[feature.name, ...outcomes.map(writeCell)].join(' | ')} |`] : [];
  });
  return [
    `## ${headings[caller.id]}\n`,
    `| | ${columns.map((id) => upstreams[id].title).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...writeRefusals(caller, columns),
    '',
  ].join('\n');
}

function writeCell(outcome: Outcome | null): string {
  if (outcome === null) return '';
  if (outcome.kind === 'carried') return 'yes';
  return outcome.kind === 'refused' ? '400' : outcome.kind;
}

/** Lists the distinct error messages with the fields that they name. */
function writeRefusals(caller: Caller, columns: readonly ProtocolId[]): string[] {
  const told = features.flatMap((feature) =>
    columns.flatMap((id) => {
      const outcome = findOutcome(feature, caller, id);
      return outcome?.kind === 'refused' ? [`- \`${outcome.param}\`: ${outcome.message}`] : [];
    }),
  );
  return [...new Set(told)];
}
