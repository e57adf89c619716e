/** Every page, on one screen. */

import { Router, type RouterMiddleware } from '@koa/router';
import { koaBody } from 'koa-body';
import type { Assets } from './assets.js';
import { downloadLedger, downloadUse, showCredits } from './credits.js';
import type { FormGuard } from './form-guard.js';
import { requireManagement, requireMember, requireOperator, requireOwner, requirePerson } from './guards.js';
import { acceptInvitation, showInvitation } from './invitation.js';
import { showProgress, streamProgress } from './job-progress.js';
import { cancelJob, deleteJob, downloadJob, showFirstCode, showJob, showJobs } from './jobs.js';
import { createKey, revokeKey, showKeys } from './keys.js';
import { changeRole, handOver, invite, leave, removeMember, showMembers, withdrawInvitation } from './members.js';
import { becomeOperator, showOperator, showOperatorLink, withdrawOperator } from './operator.js';
import { grantCredits, setAllowance, setLimits, showOrganisation } from './operator-organisation.js';
import { exportData, rename, showSettings } from './organisation-settings.js';
import { showOverview } from './overview.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageState } from './page-state.js';
import { forgot, reset, showForgot, showReset } from './password-reset.js';
import { admitPreview, preview } from './preview.js';
import {
  changeAddress,
  changeName,
  changePassword,
  confirmAddress,
  deleteAccount,
  endSession,
  enter,
  foundOrganisation,
  showAddress,
  showProfile,
} from './profile.js';
import { finishSignIn, showSecondFactor, turnOffSecondFactor, turnOnSecondFactor } from './second-factor.js';
import { doSignIn, doSignOut, showSignIn, signOutEverywhere } from './sign-in.js';
import { createAccount, showNewAccount, showSignUp, signUp } from './sign-up.js';
import { beginSingleSignOn, finishSingleSignOn, requirePasswords } from './single-sign-on.js';
import { admitJob, submitStudio } from './studio.js';
import { checkStudio } from './studio-check.js';
import { deleteStyle, openStudio, saveStyle } from './saved-styles.js';
import { readUpload } from './upload.js';
import {
  createWebhook,
  deleteWebhook,
  rotateSecret,
  sendAgain,
  setLowBalance,
  showWebhook,
  showWebhooks,
} from './webhooks.js';

export interface PageRouteDependencies {
  dependencies: PageDependencies;
  assets: Assets;
  guard: FormGuard;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

export function pageRoutes({ dependencies, assets, guard, stopping }: PageRouteDependencies): Router {
  const form = composed(countChange(dependencies), composed(readForm, guard.checkToken as RouterMiddleware));
  const upload = readUpload(dependencies.folder.scratch, guard);
  const json = composed(readJson, guard.checkToken as RouterMiddleware);
  const passwords = requirePasswords(dependencies) as RouterMiddleware;
  const person = requirePerson(dependencies.memberships);
  const member = composed(person, requireMember);
  const manager = composed(member, requireManagement);
  const owner = composed(member, requireOwner);
  const operator = composed(person, requireOperator);

  return new Router({ prefix: '/account', sensitive: true })
    .get('/assets/:version/:name', assets.send)

    .get('/sign-up', passwords, showSignUp(dependencies))
    .post('/sign-up', passwords, form, signUp(dependencies))
    .get('/sign-up/:token', passwords, showNewAccount(dependencies))
    .post('/sign-up/:token', passwords, form, createAccount(dependencies))
    .get('/sign-in', showSignIn(dependencies))
    .post('/sign-in', passwords, form, doSignIn(dependencies))
    .post('/sign-in/code', passwords, form, finishSignIn(dependencies))
    .get('/sign-in/oidc', beginSingleSignOn(dependencies))
    .get('/sign-in/oidc/callback', finishSingleSignOn(dependencies))
    .post('/sign-out', form, doSignOut)
    .get('/forgot', passwords, showForgot(dependencies))
    .post('/forgot', passwords, form, forgot(dependencies))
    .get('/reset/:token', passwords, showReset(dependencies))
    .post('/reset/:token', passwords, form, reset(dependencies))
    .get('/address/:token', showAddress(dependencies))
    .post('/address/:token', form, confirmAddress(dependencies))
    .get('/invitation/:token', showInvitation(dependencies))
    .post('/invitation/:token', form, acceptInvitation(dependencies))

    .get('/', person, enter)
    .get('/you', person, showProfile(dependencies))
    .post('/you/password', passwords, person, form, changePassword(dependencies))
    .post('/you/name', person, form, changeName(dependencies))
    .post('/you/address', person, form, changeAddress(dependencies))
    .get('/you/second-factor', passwords, person, showSecondFactor(dependencies))
    .post('/you/second-factor', passwords, person, form, turnOnSecondFactor(dependencies))
    .post('/you/second-factor/off', person, form, turnOffSecondFactor(dependencies))
    .post('/you/sessions/:sessionId/end', person, form, endSession(dependencies))
    .post('/you/delete', person, form, deleteAccount(dependencies))
    .post('/you/sign-out-everywhere', person, form, signOutEverywhere(dependencies))
    .post('/you/organisations', person, form, foundOrganisation(dependencies))

    .get('/o/:organisationId', member, showOverview(dependencies))
    .get('/o/:organisationId/studio', member, openStudio(dependencies))
    .post('/o/:organisationId/studio', member, admitJob(dependencies), upload, submitStudio(dependencies))
    .post('/o/:organisationId/studio/check', member, admitJob(dependencies), upload, checkStudio(dependencies))
    .post('/o/:organisationId/studio/preview', member, admitPreview(dependencies), json, preview(dependencies))
    .post('/o/:organisationId/studio/styles', member, admitJob(dependencies), upload, saveStyle(dependencies))
    .post('/o/:organisationId/studio/styles/:styleId/delete', member, form, deleteStyle(dependencies))
    .get('/o/:organisationId/jobs', member, showJobs(dependencies))
    .get('/o/:organisationId/jobs/:jobId', member, showJob(dependencies))
    .post('/o/:organisationId/jobs/:jobId/cancel', member, form, cancelJob(dependencies))
    .post('/o/:organisationId/jobs/:jobId/delete', member, form, deleteJob(dependencies))
    .get('/o/:organisationId/jobs/:jobId/first-code', member, showFirstCode(dependencies))
    .get('/o/:organisationId/jobs/:jobId/progress', member, showProgress(dependencies))
    .get('/o/:organisationId/jobs/:jobId/events', member, streamProgress(dependencies, stopping))
    .get('/o/:organisationId/jobs/:jobId/download', member, downloadJob(dependencies))
    .get('/o/:organisationId/keys', member, showKeys(dependencies))
    .post('/o/:organisationId/keys', manager, form, createKey(dependencies))
    .post('/o/:organisationId/keys/:keyId/revoke', manager, form, revokeKey(dependencies))
    .get('/o/:organisationId/webhooks', manager, showWebhooks(dependencies))
    .post('/o/:organisationId/webhooks', manager, form, createWebhook(dependencies))
    .post('/o/:organisationId/webhooks/low-balance', manager, form, setLowBalance(dependencies))
    .get('/o/:organisationId/webhooks/:webhookId', manager, showWebhook(dependencies))
    .post('/o/:organisationId/webhooks/:webhookId/secret', manager, form, rotateSecret(dependencies))
    .post('/o/:organisationId/webhooks/:webhookId/delete', manager, form, deleteWebhook(dependencies))
    .post('/o/:organisationId/webhooks/:webhookId/deliveries/:deliveryId', manager, form, sendAgain(dependencies))
    .get('/o/:organisationId/credits', member, showCredits(dependencies))
    .get('/o/:organisationId/credits/use.csv', member, downloadUse(dependencies))
    .get('/o/:organisationId/credits.csv', member, downloadLedger(dependencies))
    .get('/o/:organisationId/members', member, showMembers(dependencies))
    .post('/o/:organisationId/members/leave', member, form, leave(dependencies))
    .post('/o/:organisationId/members/:personId/role', manager, form, changeRole(dependencies))
    .post('/o/:organisationId/members/:personId/remove', manager, form, removeMember(dependencies))
    .post('/o/:organisationId/members/:personId/hand-over', owner, form, handOver(dependencies))
    .post('/o/:organisationId/invitations', manager, form, invite(dependencies))
    .post('/o/:organisationId/invitations/:invitationId/withdraw', manager, form, withdrawInvitation(dependencies))
    .get('/o/:organisationId/settings', manager, showSettings(dependencies))
    .post('/o/:organisationId/settings', owner, form, rename(dependencies))
    .get('/o/:organisationId/export.zip', owner, exportData(dependencies))

    .get('/operator', operator, showOperator(dependencies))
    .post('/operator/operators/withdraw', operator, form, withdrawOperator(dependencies))
    .get('/operator/organisations/:organisationId', operator, showOrganisation(dependencies))
    .post('/operator/organisations/:organisationId/grants', operator, form, grantCredits(dependencies))
    .post('/operator/organisations/:organisationId/allowance', operator, form, setAllowance(dependencies))
    .post('/operator/organisations/:organisationId/limits', operator, form, setLimits(dependencies))
    .get('/operator/:token', showOperatorLink(dependencies))
    .post('/operator/:token', form, becomeOperator(dependencies));
}

/** Parses small forms: the longest field is a name. */
const readForm = koaBody({
  urlencoded: true,
  json: false,
  text: false,
  multipart: false,
  formLimit: '32kb',
}) as RouterMiddleware;

const readJson = koaBody({ json: true, urlencoded: false, text: false, jsonLimit: '1mb' }) as RouterMiddleware;

/** Counts a signed-in person's form before it is read. */
function countChange({ throttle }: PageDependencies): RouterMiddleware {
  return async (ctx, next) => {
    const { person } = pageState(ctx);
    if (person !== undefined) {
      await throttle.change(person.id);
    }
    await next();
  };
}

/** Combines two middlewares. */
function composed(first: RouterMiddleware, second: RouterMiddleware): RouterMiddleware {
  return (ctx, next) => first(ctx, () => second(ctx, next) as Promise<void>);
}
