import type { Mail } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { CopyIcon, SendAgainIcon } from '../../components/ui/action-icons.ts';
import { showError, showMessage, showSuccess } from '../../components/ui/toasts.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { messageOf } from '../../lib/message-of.ts';
import { useRetryMail } from './queries.ts';

/** Actions of a mail. */
export function useMailActions(): readonly RowAction<Mail>[] {
  const { mutate: retry } = useRetryMail();
  return useMemo(
    () => [
      {
        name: 'Copy link',
        icon: CopyIcon,
        isInline: true,
        isHidden: ({ link }) => link === null,
        run: ({ link }) => void copyLink(link ?? ''),
      },
      {
        name: 'Send again',
        icon: SendAgainIcon,
        isInline: true,
        isHidden: ({ status }) => status !== 'failed',
        run: ({ id, to_address }) =>
          retry(
            { params: { id } },
            {
              onSuccess: () => showSuccess(`The mail to ${to_address} is queued again`),
              onError: (error) => showError(messageOf(error, 'Failed to send the mail again')),
            },
          ),
      },
    ],
    [retry],
  );
}

async function copyLink(link: string): Promise<void> {
  const isCopied = await copyText(link);
  showMessage(isCopied ? 'Link copied. Forward it safely.' : `Copy by hand: ${link}`);
}
