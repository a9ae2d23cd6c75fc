import { Badge } from '../../components/ui/badge.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { IntentBadge } from '../../components/ui/intent-badge.tsx';
import { RoleBadge } from '../../components/ui/role-badge.tsx';
import { Skeleton, SkeletonLines } from '../../components/ui/skeleton.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { InBothSchemes, Part, PartGroup } from './part.tsx';

const intents = ['coding', 'testing', 'documentation', 'research', 'off_topic', 'other'];

export function StatusParts() {
  return (
    <PartGroup title="States">
      <Part name="StatusMark">
        <InBothSchemes>
          <StatusMark kind="ok">Active</StatusMark>
          <StatusMark kind="warn">Expires soon</StatusMark>
          <StatusMark kind="bad">Blocked</StatusMark>
          <StatusMark kind="off">Inactive</StatusMark>
          <StatusMark kind="pending">Pending</StatusMark>
        </InBothSchemes>
      </Part>
      <Part name="IntentBadge">
        <InBothSchemes>
          {intents.map((intent) => (
            <IntentBadge key={intent} intent={intent} />
          ))}
        </InBothSchemes>
      </Part>
      <Part name="RoleBadge, Badge">
        <InBothSchemes>
          <RoleBadge name="super_admin" />
          <RoleBadge name="admin" />
          <RoleBadge name="user" />
          <RoleBadge name="member" />
          <Badge>direct</Badge>
          <Badge tone="warn">Revoked</Badge>
        </InBothSchemes>
      </Part>
      <Part name="EmptyState">
        <InBothSchemes>
          <EmptyState title="No users yet">People you create or invite stand here.</EmptyState>
        </InBothSchemes>
      </Part>
      <Part name="Failure">
        <Failure message="Error loading users: Unknown error" error={null} onRetry={() => undefined} />
      </Part>
      <Part name="Skeleton">
        <SkeletonLines count={3} />
        <Skeleton width="8rem" height="2rem" />
      </Part>
    </PartGroup>
  );
}
