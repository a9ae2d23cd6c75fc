import { openaiModels } from './openai.ts';
import { openaiCompatible, openaiEmbeddings, openaiResponses } from './openai-compatible.ts';

/** Models are named by their deployments. */
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
        // The other styles are older than responses.
        path: (_model, _isStream, root) => (root.endsWith('/openai/v1') ? '/responses' : null),
      },
    ],
    addedTokens: { withTools: 160 },
    embeddings: { ...openaiEmbeddings, path: inStyleOf('/embeddings') },
    // Its list names the models that could be deployed, and a request must name a deployment.
    discovery: { proof: { path: findModelsPath } },
    authorize: (apiKey) => ({ 'api-key': apiKey }),
  },
  { ...openaiModels, path: inStyleOf('/chat/completions') },
);

/** The resource's own list of models, which has one place whatever the style of the endpoint. */
function findModelsPath(root: string): string {
  if (root.endsWith('/openai/v1')) return '/models';
  return root.endsWith('/openai/deployments') ? '/../models' : '/../openai/models';
}

/** The path of an operation in the style that the instance's endpoint has. */
function inStyleOf(path: string): (model: string, isStream: boolean, root: string) => string {
  return (model, _, root) =>
    root.endsWith('/openai/deployments') ? `/${encodeURIComponent(model)}${path}` : path;
}
