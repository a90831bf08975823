#!/usr/bin/perl
# A plugin for NAME: it plans requests and reads the responses. It sends no requests itself. See docs/plugins.md.
use strict;
use warnings;
use open ':std', ':utf8';
use JSON::PP;
$| = 1;
my $json = JSON::PP->new->ascii->canonical;

my $hello = {bitpal => 1, id => 'NAME', name => 'NAME', answers => ['quotes']};

sub plan {
  my ($ask) = @_;
  my $query = 'symbol=' . uc($ask->{symbols}[0]) . '&currency=' . uc($ask->{currency});
  return {requests => [{url => "https://HOST/price?$query"}]};
}

sub parse {
  my ($ask) = @_;
  my $body = $json->decode($ask->{responses}[0]{body});
  return {error => {code => 'not_found', message => "$body->{error}"}} if defined $body->{error};
  # A value is a text, so that no digit is lost; a source that sends numbers needs  allow_bignum  above.
  return {rows => [{id => $ask->{coins}[0], price => "$body->{price}", time => "$body->{time}"}]};
}

while (my $line = <STDIN>) {
  my $message = $json->decode($line);
  my $answer = eval {
    $message->{hello} ? $hello : $message->{plan} ? plan($message->{plan}) : parse($message->{parse});
  };
  print $json->encode($answer || {error => {code => 'unreadable', message => "$@"}}), "\n";
}
