import type { SignedInTool } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '#components/ui/notice.tsx';
import { PanelRows } from '#components/ui/panel.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { useRevokeUserTool, userToolsQuery } from './queries.ts';
import { ToolRow } from './tool-row.tsx';

interface UserToolsSectionProps {
  userId: number;
}

export function UserToolsSection({ userId }: UserToolsSectionProps) {
  const answer = useQuery(userToolsQuery(userId));
  const failure = describeFailure(answer, 'Failed to load signed-in tools');
  if (failure && !answer.data) return <Failure {...failure} />;
  if (!answer.data || answer.data.length === 0) return null;
  return (
    <section aria-label="Signed-in tools">
      <h3>Signed-in tools</h3>
      <PanelRows>
        {answer.data.map((tool) => (
          <UserToolRow key={tool.id} tool={tool} userId={userId} />
        ))}
      </PanelRows>
    </section>
  );
}

function UserToolRow({ tool, userId }: { tool: SignedInTool; userId: number }) {
  return <ToolRow tool={tool} revocation={useRevokeUserTool(userId)} />;
}
