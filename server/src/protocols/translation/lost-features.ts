import type { CanonicalRequest } from '../canonical/request.ts';

/** Features that only some protocols and vendors support, by the feature's field name in chat completions. */
const features = {
  detail: ({ messages }: CanonicalRequest) => messages.some(({ parts }) => parts.some(hasDetail)),
  cache_control: hasCacheMark,
  safety_identifier: ({ safetyIdentifier }: CanonicalRequest) => safetyIdentifier !== undefined,
  prompt_cache_key: ({ promptCacheKey }: CanonicalRequest) => promptCacheKey !== undefined,
  metadata: ({ metadata }: CanonicalRequest) => metadata !== undefined,
  verbosity: ({ verbosity }: CanonicalRequest) => verbosity !== undefined,
};

export function warnOfLost(
  request: CanonicalRequest,
  supported: readonly (keyof typeof features)[],
  warn: (name: string) => void,
): void {
  const names: readonly string[] = supported;
  for (const [name, isUsed] of Object.entries(features))
    if (!names.includes(name) && isUsed(request)) warn(name);
}

type Part = CanonicalRequest['messages'][number]['parts'][number];

function hasDetail(part: Part): boolean {
  if (part.type === 'tool-result') return part.parts.some(hasDetail);
  return part.type === 'image' && part.detail !== undefined && part.detail !== 'auto';
}

function hasCacheMark({ messages, tools }: CanonicalRequest): boolean {
  return (
    tools.some(({ cacheMark }) => cacheMark !== undefined) ||
    messages.some(({ parts }) => parts.some(isMarked))
  );
}

function isMarked(part: Part): boolean {
  if ('cacheMark' in part && part.cacheMark !== undefined) return true;
  return part.type === 'tool-result' && part.parts.some(({ cacheMark }) => cacheMark !== undefined);
}
