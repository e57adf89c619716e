/** Every page, on one screen. */

import { Router, type RouterContext, type RouterMiddleware } from '@koa/router';
import type { Next } from 'koa';
import { labels, manifest, picture } from '../api/endpoints/items.js';
import { PICTURE_TYPES, type PictureFormat } from '../contract/request-schema.js';
import {
  askFirst,
  requireManagement,
  requireMember,
  requireOperator,
  requireOwner,
  requirePerson,
} from './shell/guards.js';
import type { Assets } from './shell/assets.js';
import * as credits from './organisation/credits.js';
import { downloadUse } from './organisation/use.js';
import { sendSamples } from './front/front.js';
import type { FormGuard } from './shell/form-guard.js';
import { labelRequest, sendFirstSheet, sendLabels, showLabels } from './jobs/labels.js';
import { acceptInvitation, showInvitation } from './sign-in/invitation.js';
import * as jobActions from './jobs/job.js';
import { showJob } from './jobs/job.js';
import { sendCorrectedList } from './jobs/corrected-list.js';
import { downloadFound } from './jobs/found-codes.js';
import { keepPictures, showFirstCode } from './jobs/job-pictures.js';
import * as remaking from './jobs/remake.js';
import { showJobs } from './jobs/jobs.js';
import * as keys from './organisation/keys.js';
import * as members from './organisation/members.js';
import * as operators from './operator/operator.js';
import * as organisation from './operator/operator-organisation.js';
import * as settings from './organisation/organisation-settings.js';
import { showOverview } from './organisation/overview.js';
import type { Needs, PageDependencies } from './shell/page-dependencies.js';
import { findJob, holderOf, pageState } from './shell/page-state.js';
import { readForm, readJson } from './shell/read-body.js';
import { admitPreview, preview } from './studio/preview.js';
import * as profile from './sign-in/profile.js';
import { exportPerson } from './sign-in/personal-export.js';
import * as secondFactor from './sign-in/second-factor.js';
import * as signIns from './sign-in/sign-in.js';
import * as signUps from './sign-in/sign-up.js';
import { beginConnection, beginSingleSignOn, disconnect, finishSingleSignOn } from './sign-in/single-sign-on.js';
import { admitJob, submitStudio } from './studio/studio.js';
import * as correctedLooks from './studio/corrected-look.js';
import { downloadFaultyRows } from './studio/faulty-rows.js';
import { checkStudio } from './studio/studio-check.js';
import { changeLines } from './studio/changed-lines.js';
import { sendPastedAsFile } from './studio/pasted-table.js';
import * as savedStyles from './studio/saved-styles.js';
import { readUpload } from './shell/read-upload.js';
import * as webhooks from './organisation/webhooks.js';
import { requirePasswords } from './shell/passwords.js';

const PICTURE_FORMATS = Object.keys(PICTURE_TYPES) as PictureFormat[];

/** Shows a page, or answers a form. */
type Page = (ctx: RouterContext, dependencies: PageDependencies) => void | Promise<void>;

interface PageRouteDependencies {
  dependencies: PageDependencies;
  assets: Assets;
  guard: FormGuard;
}

export function pageRoutes({ dependencies, assets, guard }: PageRouteDependencies): Router {
  function page(answer: Page): RouterMiddleware {
    return (ctx) => answer(ctx, dependencies);
  }
  const correct: Page = (ctx, needs) => remaking.makeCorrected(ctx, { ...needs, ...correctedLooks });
  const ask = askFirst(dependencies.view);
  const form = composed(countChange(dependencies), readForm, guard.checkToken as RouterMiddleware, ask);
  const uploadBy = [dependencies.folder.scratch, guard, dependencies.admission.transfers.job] as const;
  const upload = readUpload(...uploadBy);
  const uploadList = readUpload(...uploadBy, sendPastedAsFile);
  const json = composed(readJson, guard.checkToken as RouterMiddleware);
  const passwords = requirePasswords(dependencies) as RouterMiddleware;
  const person = requirePerson(dependencies.database);
  const member = composed(person, requireMember);
  const manager = composed(member, requireManagement);
  const owner = composed(member, requireOwner);
  const operator = composed(person, requireOperator);
  // A job's files are sent as the API sends them.
  const find = (ctx: RouterContext) => findJob(ctx, dependencies);
  const output = { ...dependencies, holderOf };

  return new Router({ prefix: '/account', sensitive: true })
    .get('/assets/:version/:name', assets.send)

    .get('/samples', page(sendSamples))

    .get('/sign-up', passwords, page(signUps.showSignUp))
    .post('/sign-up', passwords, form, page(signUps.signUp))
    .get('/sign-up/:token', passwords, page(signUps.showNewAccount))
    .post('/sign-up/:token', passwords, form, page(signUps.createAccount))
    .get('/sign-in', page(signIns.showSignIn))
    .post('/sign-in', passwords, form, page(signIns.doSignIn))
    .post('/sign-in/code', passwords, form, page(secondFactor.finishSignIn))
    .get('/sign-in/oidc', page(beginSingleSignOn))
    .get('/sign-in/oidc/callback', page(finishSingleSignOn))
    .post('/sign-out', form, page(signIns.doSignOut))
    .get('/forgot', passwords, page(signUps.showForgot))
    .post('/forgot', passwords, form, page(signUps.forgot))
    .get('/reset/:token', passwords, page(signUps.showReset))
    .post('/reset/:token', passwords, form, page(signUps.reset))
    .get('/address/:token', page(profile.showAddress))
    .post('/address/:token', form, page(profile.confirmAddress))
    .get('/invitation/:token', page(showInvitation))
    .post('/invitation/:token', form, page(acceptInvitation))

    .get('/', person, page(profile.enter))
    .get('/you', person, page(profile.showProfile))
    .get('/you/export.json', person, page(exportPerson))
    .post('/you/password', passwords, person, form, page(profile.changePassword))
    .post('/you/name', person, form, page(profile.changeName))
    .post('/you/address', person, form, page(profile.changeAddress))
    .get('/you/second-factor', passwords, person, page(secondFactor.showSecondFactor))
    .post('/you/second-factor', passwords, person, form, page(secondFactor.turnOnSecondFactor))
    .post('/you/second-factor/recovery-codes', passwords, person, form, page(secondFactor.makeRecoveryCodes))
    .post('/you/second-factor/off', person, form, page(secondFactor.turnOffSecondFactor))
    .post('/you/identities', person, form, page(beginConnection))
    .post('/you/identities/:identityId/disconnect', person, form, page(disconnect))
    .post('/you/sessions/:sessionId/end', person, form, page(profile.endSession))
    .post('/you/delete', person, form, page(profile.deleteAccount))
    .post('/you/sign-out-everywhere', person, form, page(signIns.signOutEverywhere))
    .post('/you/organisations', person, form, page(profile.foundOrganisation))

    .get('/o/:organisationId', member, page(showOverview))
    .get('/o/:organisationId/studio', member, page(savedStyles.openStudio))
    .post('/o/:organisationId/studio', member, admitJob(dependencies), uploadList, page(submitStudio))
    .post('/o/:organisationId/studio/faulty-rows', member, admitJob(dependencies), uploadList, page(downloadFaultyRows))
    .post('/o/:organisationId/studio/check', member, admitJob(dependencies), upload, page(checkStudio))
    .post('/o/:organisationId/studio/lines', member, admitJob(dependencies), upload, page(changeLines))
    .post('/o/:organisationId/studio/preview', member, admitPreview(dependencies), json, page(preview))
    .post('/o/:organisationId/studio/styles', member, admitJob(dependencies), upload, page(savedStyles.saveStyle))
    .post('/o/:organisationId/studio/look', member, admitJob(dependencies), upload, page(savedStyles.chooseStyle))
    .post('/o/:organisationId/studio/styles/:styleId/delete', member, form, page(savedStyles.deleteStyle))
    .get('/o/:organisationId/jobs', member, page(showJobs))
    .get('/o/:organisationId/jobs/delete', member, page(jobActions.askToDelete))
    .post('/o/:organisationId/jobs/delete', member, form, page(jobActions.deleteJobs))
    .get('/o/:organisationId/jobs/:jobId', member, page(showJob))
    .post('/o/:organisationId/jobs/:jobId/cancel', member, form, page(jobActions.cancelJob))
    .post('/o/:organisationId/jobs/:jobId/name', member, form, page(jobActions.renameJob))
    .post('/o/:organisationId/jobs/:jobId/links', member, form, page(jobActions.withdrawLinks))
    .post('/o/:organisationId/jobs/:jobId/missing', member, form, page(remaking.makeMissing))
    .get('/o/:organisationId/jobs/:jobId/found.zip', member, page(downloadFound))
    .get('/o/:organisationId/jobs/:jobId/first-code', member, keepPictures, page(showFirstCode))
    .get('/o/:organisationId/jobs/:jobId/codes/:index', member, keepPictures, picture(find, output, PICTURE_FORMATS))
    .get('/o/:organisationId/jobs/:jobId/codes/:index/correct', member, page(remaking.showCode))
    .post('/o/:organisationId/jobs/:jobId/codes/:index/correct', member, form, page(correct))
    .get('/o/:organisationId/jobs/:jobId/manifest.csv', member, manifest(find, output, 'csv'))
    .get('/o/:organisationId/jobs/:jobId/manifest.ndjson', member, manifest(find, output, 'ndjson'))
    .get('/o/:organisationId/jobs/:jobId/list.ndjson', member, page(sendCorrectedList))
    .get('/o/:organisationId/jobs/:jobId/progress', member, page(jobActions.showProgress))
    .get('/o/:organisationId/jobs/:jobId/labels', member, page(showLabels))
    .get('/o/:organisationId/jobs/:jobId/labels.svg', member, page(sendFirstSheet))
    .get(
      '/o/:organisationId/jobs/:jobId/labels.pdf',
      member,
      sendLabels(labels(find, output, labelRequest), dependencies),
    )
    .get('/o/:organisationId/jobs/:jobId/download', member, page(jobActions.downloadJob))
    .get('/o/:organisationId/keys', member, page(keys.showKeys))
    .post('/o/:organisationId/keys', manager, form, page(keys.createKey))
    .get('/o/:organisationId/keys/:keyId', member, page(keys.showKey))
    .post('/o/:organisationId/keys/:keyId/revoke', manager, form, page(keys.revokeKey))
    .get('/o/:organisationId/webhooks', manager, page(webhooks.showWebhooks))
    .post('/o/:organisationId/webhooks', manager, form, page(webhooks.createWebhook))
    .post('/o/:organisationId/webhooks/low-balance', manager, form, page(webhooks.setLowBalance))
    .get('/o/:organisationId/webhooks/:webhookId', manager, page(webhooks.showWebhook))
    .post('/o/:organisationId/webhooks/:webhookId', manager, form, page(webhooks.changeWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/pause', manager, form, page(webhooks.setPaused(true)))
    .post('/o/:organisationId/webhooks/:webhookId/resume', manager, form, page(webhooks.setPaused(false)))
    .post('/o/:organisationId/webhooks/:webhookId/secret', manager, form, page(webhooks.rotateSecret))
    .post('/o/:organisationId/webhooks/:webhookId/delete', manager, form, page(webhooks.deleteWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/test', manager, form, page(webhooks.testWebhook))
    .post('/o/:organisationId/webhooks/:webhookId/deliveries/:deliveryId', manager, form, page(webhooks.sendNow))
    .post('/o/:organisationId/webhooks/:webhookId/deliveries/:deliveryId/give-up', manager, form, page(webhooks.giveUp))
    .get('/o/:organisationId/credits', member, page(credits.showCredits))
    .post('/o/:organisationId/credits/ask', member, form, page(credits.askOperators))
    .get('/o/:organisationId/credits/use.csv', member, page(downloadUse))
    .get('/o/:organisationId/credits.csv', member, page(credits.downloadLedger))
    .get('/o/:organisationId/members', member, page(members.showMembers))
    .post('/o/:organisationId/members/leave', member, form, page(members.leave))
    .post('/o/:organisationId/members/:personId/role', manager, form, page(members.changeRole))
    .post('/o/:organisationId/members/:personId/remove', manager, form, page(members.removeMember))
    .post('/o/:organisationId/members/ownership', owner, form, page(members.changeOwnership))
    .post('/o/:organisationId/members/ownership/take', owner, form, page(members.takeOwnership))
    .post('/o/:organisationId/invitations', manager, form, page(members.invite))
    .post('/o/:organisationId/invitations/:invitationId/resend', manager, form, page(members.resendInvitation))
    .post('/o/:organisationId/invitations/:invitationId/withdraw', manager, form, page(members.withdrawInvitation))
    .get('/o/:organisationId/settings', manager, page(settings.showSettings))
    .post('/o/:organisationId/settings', owner, form, page(settings.rename))
    .get('/o/:organisationId/export.zip', owner, page(settings.exportData))

    .get('/operator', operator, page(operators.showOperator))
    .post('/operator/operators/withdraw', operator, form, page(operators.withdrawOperator))
    .get('/operator/organisations/:organisationId', operator, page(organisation.showOrganisation))
    .post('/operator/organisations/:organisationId/credits', operator, form, page(organisation.changeCredits))
    .post('/operator/organisations/:organisationId/allowance', operator, form, page(organisation.setAllowance))
    .post('/operator/organisations/:organisationId/suspension', operator, form, page(organisation.setSuspension))
    .get('/operator/:token', page(operators.showOperatorLink))
    .post('/operator/:token', form, page(operators.becomeOperator));
}

/** Counts a signed-in person's form before it is read. */
function countChange({ throttle }: Needs<'throttle'>): RouterMiddleware {
  return async (ctx, next) => {
    const { person } = pageState(ctx);
    if (person !== undefined) {
      await throttle.count('change', person.id);
    }
    await next();
  };
}

/** Middlewares as one. */
export function composed<Ctx>(...steps: ((ctx: Ctx, next: Next) => unknown)[]) {
  return async (ctx: Ctx, next: Next): Promise<void> => {
    const run = async (index: number): Promise<void> => {
      await (steps[index] === undefined ? next() : steps[index](ctx, () => run(index + 1)));
    };
    await run(0);
  };
}
