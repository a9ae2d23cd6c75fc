/**
 * Form of an instance's endpoint: a root with a version (`versioned`), as for OpenAI's clients; without a version
 * (`bare`), as for those of Anthropic, Google and Cohere; with the version `/api` (`ollama`); or one of three Azure
 * styles.
 */
export type EndpointForm = 'versioned' | 'bare' | 'ollama' | 'azure';

/** Variants with or without a version, a trailing slash or an operation's path result in the same URL. Idempotent. */
export function normalizeEndpoint(url: URL, form: EndpointForm, defaultEndpoint: string | null): string {
  const path = trimSlashes(url.pathname);
  const root = toRoot[form](path, url.searchParams.get('api-version'));
  return url.origin + (root === '' && form === 'versioned' ? vendorRoot(defaultEndpoint) : root);
}

/**
 * Appends a path to an endpoint's root and keeps its query, such as Azure's API version. Returns `null` if `findPath`
 * returns `null`.
 */
export function addPath(endpoint: string, findPath: (root: string) => string | null): URL | null {
  const mark = endpoint.indexOf('?');
  const root = mark === -1 ? endpoint : endpoint.slice(0, mark);
  const path = findPath(root);
  if (path === null) return null;
  if (mark === -1) return parseOnce(root + path);
  return parseOnce(`${root}${path}${path.includes('?') ? '&' : '?'}${endpoint.slice(mark + 1)}`);
}

const parsedMax = 1_000;
const parsed = new Map<string, URL>();

/** The same few URLs are parsed repeatedly. Callers must not modify the result. */
function parseOnce(address: string): URL {
  const known = parsed.get(address);
  if (known) return known;
  if (parsed.size >= parsedMax) parsed.clear();
  const url = new URL(address);
  parsed.set(address, url);
  return url;
}

const toRoot: Readonly<Record<EndpointForm, (path: string, apiVersion: string | null) => string>> = {
  versioned: (path) => path.replace(/\/(chat\/completions|completions|responses|embeddings|models)$/, ''),
  bare: (path) =>
    path.replace(/(\/compatibility)?\/v\d+(beta\d*)?(\/(messages|models|chat|embed|openai)\b.*)?$/, ''),
  ollama: (path) => path.replace(/\/(api(\/(chat|embed|generate|tags))?|v1(\/.*)?)$/, ''),
  azure: toAzureRoot,
};

/** Returns the path of the vendor's default root, used for a bare origin; `/v1` if the vendor has no default. */
function vendorRoot(defaultEndpoint: string | null): string {
  return trimSlashes(new URL(defaultEndpoint ?? 'https://vendor/v1').pathname);
}

/** Default API versions: the latest generally available version of each style. */
const azureVersions = { deployments: '2024-10-21', models: '2024-05-01-preview' } as const;

/**
 * Normalizes a path to one of Azure's three styles. `/openai/v1` needs no version. `/openai/deployments`, where the
 * model is part of the path, and `/models`, with a larger catalog, have a version in the query.
 */
function toAzureRoot(path: string, apiVersion: string | null): string {
  const [deployments] = /^.*?\/openai\/deployments(?=\/|$)/.exec(path) ?? [];
  if (deployments) return `${deployments}?api-version=${apiVersion ?? azureVersions.deployments}`;
  const style = path.replace(/\/(chat\/completions|embeddings)$/, '');
  if (/(?<!\/openai\/v1)\/models$/.test(style))
    return `${style}?api-version=${apiVersion ?? azureVersions.models}`;
  return `${path.replace(/\/openai(\/v1(\/.*)?)?$/, '')}/openai/v1`;
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '');
}
