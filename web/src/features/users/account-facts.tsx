import type { User } from '@sluice/contract';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { RoleBadge } from '../../components/ui/role-badge.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatFullTime } from '../../lib/format-time.ts';
import { UserStatusMarks } from './status.tsx';

export function AccountFacts({ user }: { user: User }) {
  return (
    <section aria-labelledby="user-account">
      <h3 id="user-account">Account</h3>
      <FactList>
        <Fact name="Role">
          <RoleBadge name={user.role_name} />
        </Fact>
        <Fact name="Status">
          <UserStatusMarks user={user} />
        </Fact>
        <Fact name="Last login">{user.last_login === null ? 'Never' : <Time value={user.last_login} />}</Fact>
        <Fact name="Created">{formatFullTime(user.created_at)}</Fact>
        <Fact name="User ID">{user.id}</Fact>
      </FactList>
    </section>
  );
}
