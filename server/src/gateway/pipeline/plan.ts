import { findMaintenance, type Target } from '#domain/provider-instance.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { protocols } from '#protocols/registry.ts';
import type { ChatService, Provider } from '#providers/provider.ts';
import { findProvider } from '#providers/registry.ts';
import { type Attempt, addResult, type Classified, type Planned, type ProviderRequest } from '../exchange.ts';
import { requirePayable } from '../metering/request-limits.ts';
import { createEncoder } from '../provider-call/encode-for-provider.ts';
import { furtherModelError } from '../provider-call/further-model-error.ts';
import { paidExtraError } from '../provider-call/paid-extra-error.ts';
import {
  addCallerHeaders,
  findAddress,
  listServices,
  listSignatures,
} from '../provider-call/provider-service.ts';
import { requireTrusted } from '../provider-call/require-trusted.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

export interface PlanDeps {
  readonly sandboxOrigin: string | null;
  readonly snapshot: Snapshot;
}

/** Stage 8: lists the attempts that can serve this request and may be paid for. */
export async function plan(exchange: Classified, { sandboxOrigin, snapshot }: PlanDeps): Promise<Planned> {
  const { completion, work } = exchange;
  const isCompaction = exchange.route.operation === 'responses.compact';
  const targets = requireTrusted(exchange, snapshot);
  const encode = createEncoder(completion, () => work.pause());
  const attempts: Attempt[] = [];
  let refusal: GatewayError | null = null;
  for (const target of targets) {
    const provider = findProvider(target.instance.providerKey);
    const services = isCompaction ? listCompactions(provider) : listServices(provider, completion);
    const place = findServiceAddress(target, provider, services, completion.isStream, sandboxOrigin);
    if (!place) {
      refusal ??= noServiceError(target.instance.name, services, isCompaction);
      continue;
    }
    const { service, url } = place;
    const encoded = await encode(target.model, service, target.instance.isServiceManaged);
    const problem =
      encoded instanceof GatewayError
        ? encoded
        : (unlistedFieldError(target, encoded) ??
          paidExtraError(exchange, target, encoded) ??
          (encoded.isPassThrough ? furtherModelError(exchange, target, snapshot) : null));
    if (encoded instanceof GatewayError || problem) {
      refusal ??= problem;
      continue;
    }
    const { isBuiltIn = false } = provider;
    const own = listSignatures(target, provider);
    const signatures = encoded.isPassThrough ? addCallerHeaders(own, service, exchange.request.headers) : own;
    attempts.push({
      ...target,
      url,
      signatures,
      isBuiltIn,
      protocol: protocols[service.protocol],
      ...encoded,
      // A compaction generates no answer to cap.
      ...(isCompaction && { encodeBody: () => encoded.encodeBody(null) }),
    });
  }
  if (attempts.length === 0) throw refusal ?? new GatewayError('upstream_error', noAddressMessage);
  return addResult(exchange, 'plan', {
    attempts: requirePayable(exchange, withoutMaintenance(attempts), snapshot),
  });
}

/** Excludes instances in maintenance while others remain, so that nothing is held for them. */
function withoutMaintenance(attempts: readonly Attempt[]): readonly Attempt[] {
  const nowMs = Date.now();
  const open = attempts.filter(({ instance }) => findMaintenance(instance, nowMs) === null);
  return open.length > 0 ? open : attempts;
}

/**
 * Returns an error for a field that may refer to data stored in the operator's provider account, which tenants share:
 * only fields known to be self-contained may be sent there.
 */
export function unlistedFieldError(
  { instance }: Target<InstanceEntry>,
  { findUnlistedField }: Pick<ProviderRequest, 'findUnlistedField'>,
): GatewayError | null {
  const path = instance.isServiceManaged ? findUnlistedField() : null;
  if (path === null) return null;
  const param = path.replace(/(\[\d+\])+$/, '').replace(/^.*\./, '');
  const message = `'${path}' cannot go to "${instance.name}", whose account other organisations share: it may name what that account keeps. Send the content itself, or leave the field out.`;
  return new GatewayError('invalid_request', message, { param });
}

function noEmbeddingsError(instance: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `The provider "${instance}" serves no embeddings. Ask for a model of another provider.`,
    {
      param: 'model',
    },
  );
}

/** Returns the error of an instance without the service; `null` if only its address is missing. */
function noServiceError(
  instance: string,
  services: readonly ChatService[],
  isCompaction: boolean,
): GatewayError | null {
  if (isCompaction) return noCompactionError(instance);
  return services.length === 0 ? noEmbeddingsError(instance) : null;
}

const noAddressMessage = 'The provider of this model has no address here. Ask your administrator.';

function noCompactionError(instance: string): GatewayError {
  return new GatewayError(
    'not_supported',
    `The provider "${instance}" does not compact conversations. Use a model of OpenAI, or ask the model for a summary.`,
    { param: 'model' },
  );
}

/** Returns the vendor's compaction as a service in place of its completions. */
function listCompactions({ alsoSpeaks = [] }: Provider): ChatService[] {
  return alsoSpeaks.flatMap((service) => {
    const { compactPath } = service;
    return compactPath ? [{ ...service, path: (_model, _isStream, root) => compactPath(root) }] : [];
  });
}

/** Returns the first service available at the instance's endpoint, with its URL. */
function findServiceAddress(
  target: Target<InstanceEntry>,
  provider: Provider,
  services: readonly ChatService[],
  isStream: boolean,
  sandboxOrigin: string | null,
): { service: ChatService; url: URL } | null {
  for (const service of services) {
    const url = findAddress(
      target,
      provider,
      (root) => service.path(target.model, isStream, root),
      sandboxOrigin,
    );
    if (url) return { service, url };
  }
  return null;
}
