import type { CanonicalRequest, RequestProblem } from '#protocols/canonical/request.ts';

/** Name under which rejected images are remembered, like the name of a rejected field. */
export const imagesField = 'images';

/** Longer messages may quote the request, whose words could match by chance. */
const messageLengthMax = 1_000;

/** Words by which providers refuse any image, as opposed to a faulty one. */
const refusals: readonly RegExp[] = [
  /(images?|image_url|image (content|inputs?)|vision|multimodal)\b[^.]{0,60}?\b(not|n't|isn't|only) (be )?(supported|enabled|allowed|available|accepted|permitted)/i,
  /(not|n't|cannot) (support|accept|allow) (any )?(images?|image_url|image (content|inputs?)|vision|multimodal)\b/i,
  /(not|n't|cannot) (process|handle|take) (any )?(images|image inputs?)\b/i,
  /no endpoints found that support image input/i,
  /not a (multi-?modal|vision) model/i,
  /unknown variant [`'"]?(image_url|input_image|image)\b/i,
  /at most 0 images?\b/i,
  /missing data required for image input/i,
  /image input modality is not enabled/i,
];

/** Whether a provider's error says that the model accepts no images. */
export function refusesImages(message: string): boolean {
  return message.length <= messageLengthMax && refusals.some((words) => words.test(message));
}

type Part = CanonicalRequest['messages'][number]['parts'][number];

/** Whether a request contains an image of any kind. */
export function hasImages({ messages }: CanonicalRequest): boolean {
  return messages.some(({ parts }) => parts.some(isImage));
}

/** Whether the user turns contain images, without which the request would have another meaning. */
export function needsImages({ messages }: CanonicalRequest): boolean {
  return messages.some(({ role, parts }) => role === 'user' && parts.some(isImage));
}

function isImage(part: Part): boolean {
  return part.type === 'image' || (part.type === 'tool-result' && part.parts.some(isImage));
}

export function noImagesProblem(model: string): RequestProblem {
  return {
    code: 'invalid_request',
    message: `The model '${model}' does not accept images: its provider rejected them. Send the request without images, or use a model that accepts them.`,
    param: 'messages',
  };
}
