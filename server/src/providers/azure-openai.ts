import { openaiModels } from './openai.ts';
import { openaiCompatible, openaiEmbeddings, openaiResponses } from './openai-compatible.ts';

/** Models are identified by their deployment names. */
export const azureOpenai = openaiCompatible(
  {
    displayName: 'Azure OpenAI',
    icon: 'azure_openai',
    defaultEndpoint: null,
    endpointExample: 'https://YOUR-RESOURCE.openai.azure.com',
    endpointForm: 'azure',
    alsoSpeaks: [
      {
        ...openaiResponses,
        ...openaiModels,
        takesOpenaiTools: true,
        compactPath: (root) => (root.endsWith('/openai/v1') ? '/responses/compact' : null),
        // The other styles predate the Responses API.
        path: (_model, _isStream, root) => (root.endsWith('/openai/v1') ? '/responses' : null),
      },
    ],
    namesDeployments: true,
    addedTokens: { withTools: 160 },
    embeddings: { ...openaiEmbeddings, path: inStyleOf('/embeddings') },
    // Azure lists models that can be deployed, but a request must name a deployment.
    discovery: { proof: { path: findModelsPath } },
    authorize: (apiKey) => ({ 'api-key': apiKey }),
  },
  { ...openaiModels, path: inStyleOf('/chat/completions') },
);

/** Returns the path of the resource's own model list, which is the same for all endpoint styles. */
function findModelsPath(root: string): string {
  if (root.endsWith('/openai/v1')) return '/models';
  return root.endsWith('/openai/deployments') ? '/../models' : '/../openai/models';
}

/** Returns the path of an operation in the style of the instance's endpoint. */
function inStyleOf(path: string): (model: string, isStream: boolean, root: string) => string {
  return (model, _, root) =>
    root.endsWith('/openai/deployments') ? `/${encodeURIComponent(model)}${path}` : path;
}
