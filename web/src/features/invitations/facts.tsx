import type { InvitationDetails } from '@sluice/contract';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { RoleBadge } from '../../components/ui/role-badge.tsx';
import styles from './facts.module.css';

const whatRolesDo: Readonly<Record<InvitationDetails['role_name'], string>> = {
  super_admin: 'You will operate the platform and every tenant on it.',
  admin: 'You will manage the people, providers, tasks and limits of this company.',
  user: 'You will use the models that you are granted, for the tasks that you are assigned.',
};

/** Inviter, invitee, organization and role. */
export function InvitationFacts({ details }: { details: InvitationDetails }) {
  const { company_name, email, inviter_name, role_name } = details;
  return (
    <>
      <div className={styles.facts}>
        <FactList>
          <Fact name="Company">{company_name}</Fact>
          <Fact name="Invited by">{inviter_name}</Fact>
          <Fact name="Role">
            <RoleBadge name={role_name} />
          </Fact>
          <Fact name="Email">{email}</Fact>
        </FactList>
      </div>
      <p className={`quiet ${styles.role}`}>
        {whatRolesDo[role_name]} Your requests are logged, and administrators of {company_name} can read them.
      </p>
    </>
  );
}
