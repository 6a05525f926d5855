-- The rule of a law pack that an answer's day follows, as it was when the objection was recorded.
alter table objection add column answer_rule text;
