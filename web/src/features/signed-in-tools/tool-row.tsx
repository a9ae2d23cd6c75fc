import { Button } from '@mantine/core';
import type { SignedInTool } from '@sluice/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { PanelRow } from '#components/ui/panel.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { nameTool } from './queries.ts';

interface ToolRowProps {
  tool: SignedInTool;
  revocation: UseMutationResult<void, Error, number>;
}

export function ToolRow({ tool, revocation: { mutate, isPending } }: ToolRowProps) {
  const { id, task_title, address, last_used_address, last_used_at, created_at } = tool;
  const revoke = () =>
    mutate(id, {
      onSuccess: () => showSuccess(`${nameTool(tool)} is signed out`),
      onError: (error) => showError(messageOf(error, 'The tool could not be signed out')),
    });
  return (
    <PanelRow>
      <div>
        <p>{nameTool(tool)}</p>
        <p className="quiet">
          {task_title} · {last_used_address ?? address} ·{' '}
          {last_used_at === null ? 'allowed ' : 'last renewed '}
          <Time value={last_used_at ?? created_at} />
        </p>
      </div>
      <Button
        variant="default"
        aria-label={`Sign out ${nameTool(tool)}`}
        aria-disabled={isPending}
        onClick={() => !isPending && revoke()}
      >
        Sign out
      </Button>
    </PanelRow>
  );
}
