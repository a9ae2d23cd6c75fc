import { Button, Tabs } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Mark } from '#components/ui/mark.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { FeaturesTab } from '#features/home/features-tab.tsx';
import { type HomeTab, homeTabs } from '#features/home/tabs.ts';
import { homePathOf, isAdministrator } from '#lib/home-path.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useOwnModels } from '#lib/own-account.ts';
import { currentUserQuery } from '#lib/session.ts';
import { signupSetupQuery } from '#lib/signup-setup.ts';
import styles from './home.module.css';

export function HomePage() {
  const { data: user } = useQuery(currentUserQuery);
  const { models } = useOwnModels();
  const { data: signup } = useQuery(signupSetupQuery);
  const maySignUp = user === null && signup?.is_open === true;
  const { tab = 'features' } = useSearch({ from: '/' });
  const navigate = useNavigate();
  useDocumentTitle('Sluice: one gateway for every model');
  const choose = (value: string | null) => {
    const chosen = homeTabs.find((one) => one.value === value)?.value;
    void navigate({ to: '/', search: chosen === 'features' ? {} : { tab: chosen } });
  };
  return (
    <Tabs
      value={tab}
      onChange={choose}
      className={styles.page}
      classNames={{ tab: styles.tab, list: styles.tabs }}
    >
      <HomeHeader user={user} maySignUp={maySignUp} />
      <Tabs.Panel value={tab} component="main" className={styles.main}>
        <ShownTab
          tab={tab}
          maySignUp={maySignUp}
          models={models?.map(({ id }) => id)}
          keyPath={user ? (isAdministrator(user) ? '/admin/users' : '/dashboard/api-keys') : null}
        />
      </Tabs.Panel>
      <footer className={styles.footer}>
        Sluice at <code>{window.location.host}</code>
      </footer>
    </Tabs>
  );
}

interface HomeHeaderProps {
  /** `null` for visitors, `undefined` while loading. */
  user: CurrentUser | null | undefined;
  maySignUp: boolean;
}

function HomeHeader({ user, maySignUp }: HomeHeaderProps) {
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.mark}>
        <Mark />
      </Link>
      <Tabs.List aria-label="About Sluice">
        {homeTabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <div className={styles.enter}>
        <Button
          component={Link}
          to={user ? homePathOf(user) : '/login'}
          variant={maySignUp ? 'default' : 'filled'}
        >
          {user ? 'Dashboard' : 'Login'}
        </Button>
        {maySignUp && (
          <Button component={Link} to="/signup">
            Sign up
          </Button>
        )}
      </div>
    </header>
  );
}

interface ShownTabProps {
  tab: HomeTab;
  maySignUp: boolean;
  /** `undefined` if signed out. */
  models: readonly string[] | undefined;
  /** `null` if signed out. */
  keyPath: string | null;
}

/** Every new installation has this model. */
const firstModel = 'sandbox-normal';

function ShownTab({ tab, maySignUp, models, keyPath }: ShownTabProps) {
  const model = models?.[0] ?? firstModel;
  if (tab === 'pricing') return <PricingTab />;
  if (tab === 'api') return <ApiTab model={model} isSignedIn={keyPath !== null} />;
  if (tab === 'docs')
    return <DocsTab model={model} hasModel={models?.length !== 0} keyPath={keyPath} maySignUp={maySignUp} />;
  return <FeaturesTab model={model} maySignUp={maySignUp} />;
}

const PricingTab = lazyPart(
  () => import('#features/home/pricing-tab.tsx'),
  'PricingTab',
  <SkeletonLines count={6} />,
);
const ApiTab = lazyPart(() => import('#features/home/api-tab.tsx'), 'ApiTab', <SkeletonLines count={6} />);
const DocsTab = lazyPart(() => import('#features/home/docs-tab.tsx'), 'DocsTab', <SkeletonLines count={6} />);
