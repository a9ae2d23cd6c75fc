export { useTenantAdministration } from './administration.tsx';
