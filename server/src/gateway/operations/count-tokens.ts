import { z } from 'zod';
import { findMaintenance } from '#domain/resolve-model.ts';
import { estimatePromptTokens } from '#domain/token-estimate.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Steps } from '#platform/steps.ts';
import { readCountTokens } from '#protocols/anthropic-messages/read-request.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { ParsedRequest } from '#protocols/canonical/request.ts';
import { protocols } from '#protocols/registry.ts';
import { noCallerTools } from '#protocols/translation/tool-names.ts';
import { findProvider } from '#providers/registry.ts';
import { hopsHeader } from '#upstream/hops.ts';
import {
  type Answer,
  type Attempt,
  type Authorized,
  addResult,
  type Entered,
  type Held,
  succeeded,
} from '../exchange.ts';
import { estimateTexts } from '../metering/count-unreported.ts';
import { findAddedTokens, limitTokenless } from '../metering/hold-amounts.ts';
import { type AdmitDeps, journalAdmission, take } from '../pipeline/admit.ts';
import { type AttemptDeps, fallsBackAfter } from '../pipeline/attempt.ts';
import { authorize } from '../pipeline/authorize.ts';
import { requestProblemError } from '../provider-call/encode-for-provider.ts';
import { furtherModelError } from '../provider-call/further-model-error.ts';
import { readProviderFailure, upstreamCallError } from '../provider-call/provider-failure.ts';
import {
  addCallerHeaders,
  findAddress,
  listServices,
  listSignatures,
} from '../provider-call/provider-service.ts';
import { findCallTimeouts } from '../provider-call/provider-timeouts.ts';
import { trySignatures } from '../provider-call/try-signatures.ts';
import { unlistedFieldError } from '../provider-call/unlisted-field-error.ts';
import { readBody } from '../request-body/read-body.ts';
import { assembleAdmitted, noCharge, recordHold } from '../request-log/assemble-record.ts';
import { bindLabels } from '../request-log/bind-labels.ts';
import { truncateForLog } from '../request-log/truncate-for-log.ts';
import { sendJson } from '../response/answer-error.ts';
import type { Signature } from '../snapshot/tables/llm-providers.ts';

export interface CountTokensDeps extends AdmitDeps, AttemptDeps {
  readonly sandboxOrigin: string | null;
  readonly bodyLimitBytes: number;
}

interface TokenCount {
  read(body: Buffer, model: string | null): Steps<ParsedRequest>;
  readonly field: string;
  readonly object?: string;
}

const anthropicCount: TokenCount = { read: readCountTokens, field: 'input_tokens' };
const responsesCount: TokenCount = {
  read: (body) => protocols['openai-responses'].caller.readRequest(body),
  field: 'input_tokens',
  object: 'response.input_tokens',
};
const geminiCount: TokenCount = {
  read: (body, model) => protocols.gemini.caller.readRequest(body, { model, isStream: false }),
  field: 'totalTokens',
};

const counts: Readonly<Partial<Record<ProtocolId, TokenCount>>> = {
  gemini: geminiCount,
  'openai-responses': responsesCount,
};

/** Maximum size of the provider's response, which is one small object. */
const countMaxBytes = 64 * 1024;

/**
 * Returns the provider's count if supported, otherwise an upper estimate with a warning. The request counts toward
 * request limits and has a row without texts and tokens.
 */
export async function countTokens(exchange: Entered, deps: CountTokensDeps): Promise<void> {
  const { bodyHold, parameter, request, route, work } = exchange;
  const body = await readBody(request, deps.bodyLimitBytes, bodyHold);
  const received = addResult(exchange, 'parse', { body: { bytes: body.length, sha256: null, text: null } });
  const count = counts[route.protocol.id] ?? anthropicCount;
  const parsed = await work.run(count.read(body, parameter));
  if (!parsed.ok) throw requestProblemError(parsed.problem);
  const completion = parsed.request;
  const summary = { model: truncateForLog(completion.model.slice(0, 200)), isStream: false, prompt: null };
  const labelsUnder = bindLabels(received, null, deps.snapshot);
  const taskless = { task: null, taskLimit: null, labelsUnder };
  const bound = addResult(addResult(received, 'parse', { completion, summary }), 'bindTask', taskless);
  const admitted = await admitCount(authorize(bound, deps.snapshot), deps);
  const counted = await askProvider(admitted, count.field, deps);
  if (!counted) exchange.head.addWarnings([`${count.field} is an estimate`]);
  await work.pause();
  const answer =
    counted ??
    toJson({ ...(count.object && { object: count.object }), [count.field]: await estimateInput(admitted) });
  addResult(admitted, 'relay', { answer: countAnswer(answer) });
  sendJson(exchange, 200, answer);
}

function countAnswer({ length: bytes }: Buffer): Answer {
  return {
    firstByteMs: null,
    usage: null,
    usageSource: 'none',
    text: null,
    written: null,
    imageCount: 0,
    bytes,
    ending: succeeded,
  };
}

async function estimateInput({ completion, targets, work }: Authorized): Promise<number> {
  const prompt = completion.readPrompt();
  const textsEstimate = await work.run(estimateTexts(prompt.texts));
  return estimatePromptTokens(prompt, textsEstimate) + findAddedTokens(targets[0], prompt);
}

function toJson(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/**
 * Returns `null` if the provider cannot count or is unavailable.
 * @throws GatewayError if the request may not be sent to the provider, or the provider rejects it
 */
async function askProvider(
  exchange: Authorized & Held,
  field: string,
  deps: CountTokensDeps,
): Promise<Buffer | null> {
  const attempt = planCount(exchange, deps);
  if (!attempt) return null;
  addResult(exchange, 'attempt', {
    calls: { target: exchange.firstTarget, count: 1, isSent: true, workingSinceMs: null, made: [] },
  });
  const outcome = await trySignatures(attempt, deps.reports, isKeyRefused, (headers) =>
    send(exchange, attempt, deps, headers),
  );
  if (!(outcome instanceof GatewayError)) return holdsCount(outcome, field) ? outcome : null;
  if (fallsBackAfter(outcome)) return null;
  throw outcome;
}

function planCount(exchange: Authorized, { sandboxOrigin, snapshot }: CountTokensDeps): Attempt | null {
  const { completion, request, route, targets } = exchange;
  const [target] = targets;
  if (findMaintenance(target.instance, Date.now())) return null;
  const provider = findProvider(target.instance.providerKey);
  const [service] = listServices(provider, completion);
  const findPath = service?.tokenCountPath;
  if (!findPath || service.protocol !== completion.protocol) return null;
  const url = findAddress(target, provider, () => findPath(target.model), sandboxOrigin);
  if (!url) return null;
  const refusal = unlistedFieldError(target, completion) ?? furtherModelError(exchange, target, snapshot);
  if (refusal) throw refusal;
  return {
    ...target,
    url,
    signatures: addCallerHeaders(listSignatures(target, provider), service, request.headers),
    isBuiltIn: provider.isBuiltIn ?? false,
    protocol: route.protocol,
    isPassThrough: true,
    callerTools: noCallerTools,
    defaultOutputTokensMax: 0,
    fitCap: () => null,
    encodeBody: () => completion.encodeFor(target.model),
    optionalBody: null,
    findUnlistedField: () => completion.findUnlistedField(),
    warnings: [],
  };
}

async function send(
  exchange: Authorized & Held,
  attempt: Attempt,
  { upstream: client, timeouts }: AttemptDeps,
  headers: Signature['headers'],
): Promise<Buffer | GatewayError> {
  const { url, isBuiltIn: trustedOrigin, instance } = attempt;
  const { abort, request } = exchange;
  const json = 'application/json';
  try {
    const upstream = await client.send({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': json, accept: json, 'user-agent': 'sluice' },
      body: await attempt.encodeBody(null, 0),
      signal: abort,
      timeouts: findCallTimeouts(instance, timeouts, false),
      trustedOrigin,
      givenHops: request.headers[hopsHeader],
    });
    if (upstream.status === 200) return await upstream.body.collect(countMaxBytes);
    return (await readProviderFailure(upstream, attempt, null)).error;
  } catch (error) {
    return upstreamCallError(error, instance.name);
  }
}

function isKeyRefused(outcome: Buffer | GatewayError): boolean {
  return outcome instanceof GatewayError && outcome.code === 'provider_auth_failed';
}

function holdsCount(body: Buffer, field: string): boolean {
  try {
    return z.looseObject({ [field]: z.number().int().min(0) }).safeParse(JSON.parse(body.toString())).success;
  } catch {
    return false;
  }
}

/** Counts the request toward request limits and journals its row. */
export async function admitCount(exchange: Authorized, deps: AdmitDeps): Promise<Authorized & Held> {
  const { hold } = await take(exchange, limitTokenless(exchange, deps.snapshot), deps);
  try {
    const aimed = addResult(exchange, 'admit', { firstTarget: exchange.targets[0] });
    await journalAdmission(assembleAdmitted(aimed, recordHold(hold, 0), noCharge), deps.journal);
    return addResult(aimed, 'admit', { hold, likelyInputTokens: 0, outputCap: null });
  } catch (error) {
    deps.leases.settle(hold, []);
    throw error;
  }
}
