-- Health of argoproj.io/Application, so that the waves of an app-of-apps wait for what they installed.
-- One rule serves every Application of an Argo CD: strict for those that carry the annotation
-- groundswell.dev/wave-gate: strict, and for all others the rule of the Argo CD manual.

local spec, st = obj.spec or {}, obj.status or {}
local sync, op, health = st.sync or {}, st.operationState or {}, st.health or {}

local function out(status, message)
  return { status = status, message = message or "" }
end

-- Applications that did not ask for the gate: the rule of the Argo CD manual.
if ((obj.metadata or {}).annotations or {})["groundswell.dev/wave-gate"] ~= "strict" then
  return out(health.status or "Progressing", health.message)
end

-- What a round trip through the API types may drop: false, "", 0, empty. Not inside Helm values.
local function zero(v)
  if type(v) ~= "table" then
    return v == nil or v == false or v == "" or v == 0
  end
  for k, x in pairs(v) do
    if k == "valuesObject" then
      if next(x) ~= nil then return false end
    elseif not zero(x) then
      return false
    end
  end
  return true
end

local function same(a, b, exact)
  if not exact and zero(a) and zero(b) then return true end
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, x in pairs(a) do
    if k == "valuesObject" and not exact then
      if not same(x, b[k] or {}, true) then return false end
    elseif not same(x, b[k], exact) then
      return false
    end
  end
  for k, x in pairs(b) do
    if a[k] == nil and (exact or not zero({ [k] = x })) then return false end
  end
  return true
end

local function failure(kind)
  for _, c in ipairs(st.conditions or {}) do
    if c.type == kind then return out("Degraded", c.message) end
  end
end

-- 1. A spec that Argo CD refuses to compare.
local bad = failure("InvalidSpecError") or failure("UnknownError")
if bad then return bad end

-- 2. Is the stored verdict about the spec that the object has now?
local many = #(spec.sources or {}) > 0
local src, rev = many and "sources" or "source", many and "revisions" or "revision"
local cmp, ran = sync.comparedTo or {}, op.syncResult
local current = same(spec[src], cmp[src])
for k, v in pairs(spec.destination or {}) do
  current = current and same(v, (cmp.destination or {})[k])
end
if not current then return out("Progressing", "this spec has not been compared yet") end

-- 3. A sync is requested, running, retrying or terminating.
if obj.operation then return out("Progressing", op.message or "sync requested") end

-- 4. The last sync was of this very spec and revision, and it failed (hooks included).
local mine = not ran or (same(spec[src], ran[src]) and same(sync[rev], ran[rev]))
if mine and (op.phase == "Failed" or op.phase == "Error") then
  return out("Degraded", "sync failed: " .. (op.message or ""))
end

-- 5. Not in sync. Lasting drift passes: synced from this spec, and compared again in a later second.
if sync.status ~= "Synced" then
  bad = failure("ComparisonError") or failure("SyncError")
  if bad then return bad end
  local drift = sync.status == "OutOfSync" and mine and op.phase == "Succeeded"
      and op.finishedAt and st.reconciledAt and st.reconciledAt > op.finishedAt
  if not drift then
    local auto = (spec.syncPolicy or {}).automated
    if sync.status == "OutOfSync" and (not auto or auto.enabled == false) then
      return out("Suspended", "out of sync, and auto-sync is off")
    end
    return out("Progressing", "sync status: " .. (sync.status or "none"))
  end
end

-- 6. What was synced: healthy or not.
if health.status == "Healthy" or health.status == "Degraded" or health.status == "Suspended" then
  return out(health.status, health.message)
end
return out("Progressing", health.message)
