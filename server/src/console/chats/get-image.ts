import type { chatImageContent } from '@sluice/contract';
import type { z } from 'zod';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findPicture } from './images-store.ts';
import { requireChat } from './require-chat.ts';

/**
 * Returns an image.
 * @throws ConsoleError 404 if it is not in the chat or was not stored.
 */
export function getChatImage(
  { inTenant, principal }: SignedInContext,
  { id, imageId }: { id: string; imageId: string },
): Promise<z.input<typeof chatImageContent>> {
  return inTenant(async (tx) => {
    await requireChat(tx, principal, id);
    const picture = await findPicture(tx, principal.tenantId, id, imageId);
    if (!picture?.bytes) throw notFound('Image');
    return { media_type: picture.mediaType, data: picture.bytes.toString('base64') };
  });
}
