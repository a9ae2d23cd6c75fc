import { Button } from '@mantine/core';
import type { Appeal } from '@sluice/contract';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useReopenAppeal } from './queries.ts';

/** Button that reopens a denied appeal. */
export function ReopenButton({ appeal: { id, user_name } }: { appeal: Appeal }) {
  const { mutate, isPending } = useReopenAppeal();
  const reopen = () =>
    mutate(id, {
      onSuccess: () => showSuccess(`The appeal of ${user_name} is open again`),
      onError: (error) => showError(messageOf(error, 'The appeal was not reopened')),
    });
  return (
    <Button variant="default" aria-disabled={isPending} onClick={() => !isPending && reopen()}>
      Undo denial
    </Button>
  );
}
