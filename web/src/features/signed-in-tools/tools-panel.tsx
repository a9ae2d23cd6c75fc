import type { SignedInTool } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '#components/ui/notice.tsx';
import { Panel, PanelRows } from '#components/ui/panel.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { toolsQuery, useRevokeTool } from './queries.ts';
import { ToolRow } from './tool-row.tsx';

export function ToolsPanel() {
  const answer = useQuery(toolsQuery);
  const failure = describeFailure(answer, 'Your signed-in tools could not be loaded');
  const { data: tools } = answer;
  return (
    <Panel label="Signed-in tools">
      <h2>Signed-in tools</h2>
      {failure && <Failure {...failure} />}
      {!failure && !tools && <SkeletonLines count={2} />}
      {tools?.length === 0 && (
        <p className="quiet">
          No command-line tool is signed in. To sign one in, run <code>npx sluice login</code>.
        </p>
      )}
      {tools && tools.length > 0 && (
        <>
          <PanelRows>
            {tools.map((tool) => (
              <OwnToolRow key={tool.id} tool={tool} />
            ))}
          </PanelRows>
          <p className="quiet">A tool is signed out when the session in which you allowed it ends.</p>
        </>
      )}
    </Panel>
  );
}

/** Each row has its own mutation, so that a running sign-out disables only its own button. */
function OwnToolRow({ tool }: { tool: SignedInTool }) {
  return <ToolRow tool={tool} revocation={useRevokeTool()} />;
}
