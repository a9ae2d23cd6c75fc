import { providers } from '#providers/registry.ts';
import type { callerProtocols } from '#test/requests/through-callers.ts';
import type { CanonicalRequest, Dialect } from '../canonical/request.ts';
import type { Protocol } from '../protocol.ts';
import { protocols } from '../registry.ts';
import { findExcessiveCalls } from '../translation/call-arguments.ts';

type Caller = (typeof callerProtocols)[number];

const path = { model: 'm', isStream: false };
interface Target {
  readonly protocol: Protocol;
  readonly model: string;
  readonly dialect?: Dialect | undefined;
}

/** Chat completions use OpenRouter, because it accepts reasoning of earlier turns. */
const targets: readonly Target[] = [
  { protocol: protocols['openai-chat'], model: 'gpt-5', dialect: providers.openrouter.chat.dialect },
  { protocol: protocols['openai-responses'], model: 'gpt-5' },
  { protocol: protocols['anthropic-messages'], model: 'claude-opus-4-6' },
  { protocol: protocols.gemini, model: 'gemini-3-pro' },
  { protocol: protocols.cohere, model: 'command-a-reasoning-08-2025' },
  { protocol: protocols.ollama, model: 'qwen3' },
];

/** Throws any error that would cause a 500 response. */
export function passRequest({ caller }: Caller, body: Buffer): 'refused' | 'passed' {
  const parsed = caller.parseRequest(body, path);
  if (!parsed.ok) return 'refused';
  const { request } = parsed;
  const cap = { tokens: 5 };
  JSON.parse(request.encodeFor('other', undefined, cap).toString());
  request.findUnlistedField();
  request.findPaidExtra();
  request.readPrompt();
  const decoded = request.toCanonical();
  if (!decoded.ok) return 'refused';
  if (findExcessiveCalls(decoded.request.messages)) return 'refused';
  for (const target of targets) encode(decoded.request, target);
  return 'passed';
}

function encode(request: CanonicalRequest, { protocol, model, dialect }: Target): void {
  const encoded = protocol.provider.encodeRequest(request, {
    model,
    isStream: true,
    defaultOutputTokensMax: 9,
    isReasoningModel: true,
    ...(dialect && { dialect }),
  });
  if (encoded.ok) JSON.stringify(encoded.body);
}
