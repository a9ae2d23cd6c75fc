import { Button } from '@mantine/core';
import type { SignedInTool } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '#components/ui/notice.tsx';
import { Panel, PanelRow, PanelRows } from '#components/ui/panel.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { nameTool, toolsQuery, useRevokeTool } from './queries.ts';

/** The user's signed-in command-line tools, which can be signed out. */
export function ToolsPanel() {
  const answer = useQuery(toolsQuery);
  const failure = describeFailure(answer, 'Your signed-in tools could not be loaded');
  const { data: tools } = answer;
  return (
    <Panel label="Signed-in tools">
      <h2>Signed-in Tools</h2>
      {failure && <Failure {...failure} />}
      {!failure && !tools && <SkeletonLines count={2} />}
      {tools?.length === 0 && (
        <p className="quiet">
          No command-line tool is signed in. <code>npx sluice login</code> signs one in.
        </p>
      )}
      {tools && tools.length > 0 && (
        <>
          <PanelRows>
            {tools.map((tool) => (
              <ToolRow key={tool.id} tool={tool} />
            ))}
          </PanelRows>
          <p className="quiet">A tool is signed out when the session in which you allowed it ends.</p>
        </>
      )}
    </Panel>
  );
}

function ToolRow({ tool }: { tool: SignedInTool }) {
  const { id, task_title, address, last_used_address, last_used_at, created_at } = tool;
  const { mutate, isPending } = useRevokeTool();
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
