/**
 * What an instance's endpoint holds. `versioned`: the root with its version, as OpenAI's clients take it; `bare`: the
 * root without one, as those of Anthropic, Google and Cohere do. Ollama's version is called `/api`, and Azure has styles.
 */
export type EndpointForm = 'versioned' | 'bare' | 'ollama' | 'azure';

/**
 * An endpoint that somebody typed, as instances store it: of all forms in which it may come, with or without a version,
 * trailing slashes or the path of an operation, one address has one. Idempotent.
 */
export function normaliseEndpoint(url: URL, form: EndpointForm, defaultEndpoint: string | null): string {
  const path = trimSlashes(url.pathname);
  const root = toRoot[form](path, url.searchParams.get('api-version'));
  return url.origin + (root === '' && form === 'versioned' ? vendorRoot(defaultEndpoint) : root);
}

/**
 * The address of what lies below an endpoint's root, whose own query, such as Azure's version, stays; `null` where
 * `findPath` finds nothing.
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

/** Few addresses are asked for again and again; nobody may change what comes from here. */
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

/** Of a bare origin, the path of the vendor's own root; `/v1` where the vendor has none. */
function vendorRoot(defaultEndpoint: string | null): string {
  return trimSlashes(new URL(defaultEndpoint ?? 'https://vendor/v1').pathname);
}

/** The versions for those who name none: the last general one of each style. */
const azureVersions = { deployments: '2024-10-21', models: '2024-05-01-preview' } as const;

/**
 * Azure has three styles: `/openai/v1`, and with a version in the query `/openai/deployments`, where the model is a
 * part of the path, and `/models`, that of its wider catalogue.
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
