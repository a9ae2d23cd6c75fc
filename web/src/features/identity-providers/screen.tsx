import { Button } from '@mantine/core';
import type { IdentityProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { currentUserQuery } from '#lib/session.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { DomainSection } from './domain-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { PolicySection } from './policy-section.tsx';
import { ProviderList } from './provider-list.tsx';
import { providersQuery } from './queries.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';
import { TestResultDialog } from './test-result-dialog.tsx';

/** Loaded on demand, because the dialog has many fields. */
const loadDialog = lazyFile(() => import('./provider-dialog.tsx'));
const ProviderDialog = lazyPart(loadDialog, 'ProviderDialog');

export function IdentityProvidersScreen() {
  const dialogs = useDialogs<'provider', IdentityProvider>();
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  usePreload(loadDialog);
  const add = <Button onClick={() => dialogs.open('provider')}>Add identity provider</Button>;
  return (
    <>
      <PageHeader
        title="Identity providers"
        subtitle="Users sign in with the accounts of your company, by OpenID Connect"
        actions={add}
      />
      <ProviderSection onEdit={(provider) => dialogs.open('provider', provider)} />
      <DomainSection />
      <IdentitySection />
      <PolicySection />
      {isAnythingOpened && <ProviderDialog provider={dialogs.about} {...dialogs.propsOf('provider')} />}
      <TestResultDialog />
    </>
  );
}

function ProviderSection({ onEdit }: { onEdit: (provider: IdentityProvider) => void }) {
  const answer = useQuery(providersQuery);
  const failure = describeFailure(answer, 'Unknown error', 'Error loading identity providers');
  const { data: providers } = answer;
  return (
    <Section
      title="Providers"
      text="Test a provider before you rely on it: the test shows the claims that Sluice receives and what they map to."
    >
      {failure && <Failure {...failure} />}
      {providers ? (
        <ProviderList providers={providers} onEdit={onEdit} />
      ) : (
        !failure && <SkeletonLines count={3} />
      )}
      {providers && providers.length > 0 && <SignInLink />}
    </Section>
  );
}

/** Links to a sign-in page that offers this tenant's identity providers. */
function SignInLink() {
  const { data: user } = useQuery(currentUserQuery);
  if (!user) return null;
  const link = `${window.location.origin}/login?tenant=${user.tenant.slug}`;
  return (
    <p className={`${styles.uri} ${styles.hint}`}>
      <span>
        Sign-in link for your users: <code>{link}</code>
      </span>
      <CopyButton text={link} label="Copy sign-in link" />
    </p>
  );
}
